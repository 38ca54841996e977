import { createRoute } from '@/lib/kernel/http/route'
import { requestContext } from './bearer'

/** `export const GET = route(contract, verb)`: the whole of a route file. */
export const route = createRoute((request) => requestContext(request))
