import type Provider from 'oidc-provider'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { endCurrentSession } from '@/lib/sign-in/sessions/service'
import { joinPlatform } from './joining'
import { requestOf } from './request'

type Session = InstanceType<typeof Provider.prototype.Session>

/**
 * Lets the sign-out page use the session of the person who is signed in at the platform, whatever session of the OpenID
 * Provider this browser has.
 */
export function adoptPlatformSession({ Session }: Provider) {
  const { get } = Session
  Session.get = async function (this: typeof Session, ctx) {
    const browserSession = await get.call(this, ctx)
    const { oidc, req } = ctx as KoaContextWithOIDC
    if (oidc?.route !== 'end_session') return browserSession
    const { session, user } = await requestOf(req).ctx()
    if (!session || !user) return browserSession
    const isOtherPerson = browserSession.accountId !== undefined && browserSession.accountId !== user.id
    const oidcSession: Session = isOtherPerson ? new this() : browserSession
    if (isOtherPerson) oidc.entity('Session', oidcSession)
    await joinPlatform(oidc.provider, oidcSession, { sessionId: session.id, accountId: user.id })
    return oidcSession
  }
}

/** Ends the platform's session, and with it those of all applications, after a sign-out at one application. */
export async function endPlatformSession(ctx: KoaContextWithOIDC) {
  const { oidc } = ctx
  const session = oidc?.session as { destroyed?: boolean; accountId?: string } | undefined
  if (oidc?.route !== 'end_session_confirm' || !session?.destroyed) return
  const request = requestOf(ctx.req)
  const platformCtx = await request.ctx()
  if (!platformCtx.user || platformCtx.user.id !== session.accountId) return
  await endCurrentSession(platformCtx, 'signedOut')
  for (const line of request.cookieHeaders()) ctx.append('set-cookie', line)
}
