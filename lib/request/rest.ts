import { live } from '@/lib/my-account/live/contract'
import { endpointsOf } from '@/lib/wiring/contracts.generated'
import { docsPage, docsScript, openApi } from './api-docs'
import { liveRoute } from './live'
import { providerCallbackRoute, providerLogoutRoute, providerStartRoute } from './provider-sign-in'
import { restMatch } from './rest-registry'
import { route } from './route'

type Handler = (request: Request, args: { params: Promise<Record<string, string>> }) => Response | Promise<Response>

/** The handlers of addresses that aren't endpoints. */
const otherHandlers: Record<string, Handler> = {
  '/api/v1/openapi.json': openApi,
  '/api/v1/docs': docsPage,
  '/api/v1/docs/viewer.js': docsScript,
  '/api/v1/platform/auth/providers/{id}/start': providerStartRoute as Handler,
  '/api/v1/platform/auth/providers/{id}/callback': providerCallbackRoute as Handler,
  '/api/v1/platform/auth/providers/{id}/logout': providerLogoutRoute as Handler,
}

type Call = NonNullable<NonNullable<ReturnType<typeof restMatch>>['call']>

// one for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformRestHandlers?: Map<string, Handler> }

/** Returns the handler of a call. It is loaded with its slice, at the first request. */
async function handlerOf({ slice, contract }: Call): Promise<Handler> {
  shared.platformRestHandlers ??= new Map()
  const loaded = contract === live ? liveRoute : shared.platformRestHandlers.get(contract.name)
  if (loaded) return loaded
  const endpoint = (await endpointsOf[slice]()).default.get(contract.name)
  if (!endpoint) throw new Error(`${slice} doesn't answer ${contract.name}`)
  const handler = route(endpoint.contract, endpoint.serve as never)
  shared.platformRestHandlers.set(contract.name, handler)
  return handler
}

/** Answers a request below /api/v1: finds what answers by method and path. */
export async function answerRest(request: Request): Promise<Response> {
  const match = restMatch(request.method, new URL(request.url).pathname)
  const handler = match?.call ? await handlerOf(match.call) : otherHandlers[match?.address ?? '']
  return match && handler
    ? handler(request, { params: Promise.resolve(match.params) })
    : new Response(null, { status: 404 })
}
