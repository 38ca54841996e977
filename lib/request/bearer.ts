import type { RequestContext } from '@/lib/base/http/route'
import { AppError } from '@/lib/base/runtime/errors'
import { serviceAccountOf } from '@/lib/openid/service-accounts/service'
import { renewCookie } from '@/lib/sign-in/sessions/service'
import { buildContext } from './build'
import { cookieJar } from './cookies'

/**
 * Returns the bearer token of a request; undefined without one, empty for a kind of token that the platform doesn't
 * accept.
 */
function tokenOf(authorization: string | null): string | undefined {
  const [scheme = '', token = '', ...furtherParts] = (authorization ?? '').trim().split(/ +/)
  if (!/^(bearer|dpop)$/i.test(scheme)) return undefined
  return /^bearer$/i.test(scheme) && furtherParts.length === 0 ? token : ''
}

/**
 * Returns the context of a call. With a bearer token it is the context of its service account, and cookies are ignored;
 * otherwise it is the context of the session cookie. Throws 401 invalidToken.
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
