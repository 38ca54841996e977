import { createRoute } from '@/lib/kernel/http/route'
import { requestContext } from './bearer'

/** Makes a route handler. A route file is one line a method: `export const GET = route(contract, verb)`. */
export const route = createRoute((request) => requestContext(request))
