import type Provider from 'oidc-provider'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { endCurrentSession } from '@/lib/sign-in/sessions/service'
import { joinPlatform } from './joining'
import { isDestroyed, replaceMember } from './oidc-provider-internals'
import { requestOf } from './request'

/**
 * Lets the sign-out page use the session of the person who is signed in at the platform, whatever session of the OpenID
 * Provider this browser has.
 */
export function adoptPlatformSession(provider: Provider) {
  replaceMember(provider, 'Session.get', (get) => async (ctx) => {
    const browserSession = await get(ctx)
    const { oidc, req } = ctx as KoaContextWithOIDC
    if (oidc?.route !== 'end_session') return browserSession
    const { session, user } = await requestOf(req).ctx()
    if (!session || !user) return browserSession
    const isOtherPerson = browserSession.accountId !== undefined && browserSession.accountId !== user.id
    const oidcSession = isOtherPerson ? new provider.Session() : browserSession
    if (isOtherPerson) oidc.entity('Session', oidcSession)
    await joinPlatform(oidc.provider, oidcSession, { sessionId: session.id, accountId: user.id })
    return oidcSession
  })
}

/** Ends the platform's session, and with it those of all applications, after a sign-out at one application. */
export async function endPlatformSession(ctx: KoaContextWithOIDC) {
  const { oidc } = ctx
  const session = oidc?.session
  if (oidc?.route !== 'end_session_confirm' || !session || !isDestroyed(session)) return
  const request = requestOf(ctx.req)
  const platformCtx = await request.ctx()
  if (!platformCtx.user || platformCtx.user.id !== session.accountId) return
  await endCurrentSession(platformCtx, 'signedOut')
  for (const line of request.cookieHeaders()) ctx.append('set-cookie', line)
}
