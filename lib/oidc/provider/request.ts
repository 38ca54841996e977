import type { IncomingMessage } from 'node:http'
import type { Ctx } from '@/lib/kernel/ctx'

/** What a request to the provider carries of the platform. */
export type OidcRequest = {
  /** Whose it is; composed when it is first asked for, which calls without a browser never do. */
  ctx: () => Promise<Ctx>
  /** Set-Cookie lines that the context has gathered. */
  cookieHeaders: () => string[]
  /** Whether it was sent by a page of ours, for what changes something. */
  isOwn: () => Promise<boolean>
}

const requests = new WeakMap<IncomingMessage, OidcRequest>()

export const remember = (req: IncomingMessage, request: OidcRequest) => requests.set(req, request)

/** The platform's side of a request. Throws for one that came another way. */
export function requestOf(req: IncomingMessage): OidcRequest {
  const request = requests.get(req)
  if (!request) throw new Error('the request came past the platform')
  return request
}
