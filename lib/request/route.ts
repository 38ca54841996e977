import { createRoute } from '@/lib/base/http/route'
import { requestContext } from './bearer'

/** Returns the handler of an endpoint. */
export const route = createRoute((request) => requestContext(request))
