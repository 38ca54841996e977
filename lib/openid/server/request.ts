import type { IncomingMessage } from 'node:http'
import type { Ctx } from '@/lib/base/context/ctx'

/** The platform's data of a request to the OpenID Provider. */
export type OidcRequest = {
  /** Returns its context, composed at the first call, which requests without a browser never make. */
  ctx: () => Promise<Ctx>
  /** Returns the Set-Cookie lines of the context. */
  cookieHeaders: () => string[]
  /** Returns whether one of our pages sent it, for requests that change something. */
  isOwn: () => Promise<boolean>
}

const requests = new WeakMap<IncomingMessage, OidcRequest>()

export const registerRequest = (req: IncomingMessage, request: OidcRequest) => requests.set(req, request)

/** Returns the platform's data of a request. Throws for a request that bypassed the platform. */
export function requestOf(req: IncomingMessage): OidcRequest {
  const request = requests.get(req)
  if (!request) throw new Error('the request came past the platform')
  return request
}
