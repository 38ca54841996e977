import { createRoute } from '@/lib/kernel/http/route'
import { buildContext } from './build'
import { cookieJar } from './cookies'

/** `export const GET = route(contract, verb)`: the whole of a route file. */
export const route = createRoute(async (request) => {
  const jar = cookieJar(request.headers.get('cookie'))
  const { ctx } = await buildContext(request.headers, jar.cookies)
  return { ctx, cookieHeaders: jar.headers }
})
