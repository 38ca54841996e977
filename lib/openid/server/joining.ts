import type Provider from 'oidc-provider'
import { randomToken } from '@/lib/base/crypto/encryption'
import { bindOpenIdSession } from '@/lib/sign-in/sessions/openid-sessions'
import { adoptUid } from './oidc-provider-internals'

type Session = NonNullable<Awaited<ReturnType<typeof Provider.prototype.Session.findByUid>>>
type PlatformPerson = { sessionId: string; accountId: string }

/**
 * Binds a session of the OpenID Provider to the person's session of the platform, whichever request of the browser
 * began it, so that two applications that are opened at once share it. Returns whether it has changed the session;
 * false also if the platform's session has ended.
 */
export async function joinPlatform(provider: Provider, session: Session, { sessionId, accountId }: PlatformPerson) {
  const isSamePerson = session.accountId === accountId
  const bound = await bindOpenIdSession(sessionId, isSamePerson ? session.uid : randomToken())
  if (!bound || (isSamePerson && bound.uid === session.uid)) return false
  const stored = await provider.Session.findByUid(bound.uid)
  adoptUid(session, bound.uid, stored)
  session.loginAccount({ accountId, loginTs: Math.floor(bound.since.getTime() / 1000) })
  return true
}
