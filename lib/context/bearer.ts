import { renewCookie } from '@/lib/entry/sessions/service'
import { AppError } from '@/lib/kernel/errors'
import type { RequestContext } from '@/lib/kernel/http/route'
import { serviceAccountOf } from '@/lib/oidc/service-accounts/service'
import { buildContext } from './build'
import { cookieJar } from './cookies'

/** The token that a request carries; undefined if it carries none, empty if it is of a kind that isn't taken here. */
function tokenOf(authorization: string | null): string | undefined {
  const [scheme = '', token = '', ...rest] = (authorization ?? '').trim().split(/ +/)
  if (!/^(bearer|dpop)$/i.test(scheme)) return undefined
  return /^bearer$/i.test(scheme) && rest.length === 0 ? token : ''
}

/**
 * The context of a call: of whoever holds the session cookie or, with a bearer token, of that service account alone;
 * cookies beside it count for nothing. Throws 401 invalidToken.
 */
export async function requestContext(request: Request, passive = false): Promise<RequestContext> {
  const token = tokenOf(request.headers.get('authorization'))
  const jar = cookieJar(token === undefined ? request.headers.get('cookie') : null)
  const { ctx } = await buildContext(request.headers, jar.cookies, passive)
  if (token === undefined) {
    await renewCookie(ctx)
    return { ctx, cookieHeaders: jar.headers }
  }
  const service = await serviceAccountOf(token, ctx.ip, ctx.now())
  if (!service) throw new AppError(401, 'invalidToken')
  return { ctx: { ...ctx, service }, cookieHeaders: jar.headers }
}
