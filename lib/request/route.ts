import { createRoute } from '@/lib/base/http/route'
import { endpointsOf } from '@/lib/wiring/contracts.generated'
import { requestContext } from './bearer'
import { callAt } from './rest-registry'

/** Returns the handler of an endpoint. */
export const route = createRoute((request) => requestContext(request))

const handlers = new Map<string, ReturnType<typeof route>>()

/** Answers a request of the REST API: finds the endpoint by method and path, and loads it with its slice. */
export async function dispatch(request: Request): Promise<Response> {
  const match = callAt(request.method, new URL(request.url).pathname)
  if (!match) return new Response(null, { status: 404 })
  const { slice, contract, params } = match
  let handler = handlers.get(contract.name)
  if (!handler) {
    const endpoint = (await endpointsOf[slice]()).default.get(contract.name)
    if (!endpoint) throw new Error(`${slice} doesn't answer ${contract.name}`)
    handler = route(endpoint.contract, endpoint.serve as never)
    handlers.set(contract.name, handler)
  }
  const decoded = Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)])
  return handler(request, { params: Promise.resolve(Object.fromEntries(decoded)) })
}
