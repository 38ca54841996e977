import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { signedInAt } from '@/lib/entry/sessions/service'
import { findAccount } from './account'
import { loadGrant } from './grants'
import { requestOf } from './request'

const { Check, Prompt } = interactionPolicy

/**
 * Asks nothing: whoever is signed in at the platform is so for the provider too, which has no session of theirs before
 * their first application. Without this `prompt=none` would be refused to them.
 */
const known = new Check('platform_person', 'never asked for', async (ctx) => {
  const asking = ctx as KoaContextWithOIDC
  const { oidc } = asking
  if (oidc.route !== 'authorization' || !oidc.session || oidc.session.accountId) return Check.NO_NEED_TO_PROMPT
  const { session, user } = await requestOf(ctx.req).ctx()
  const since = session && user ? await signedInAt(session.id) : null
  if (!user || !since) return Check.NO_NEED_TO_PROMPT
  // a name from before may be known to whoever planted it
  if (!(oidc.session as { new?: boolean }).new) oidc.session.resetIdentifier()
  oidc.session.loginAccount({ accountId: user.id, loginTs: Math.floor(since.getTime() / 1000) })
  // as the library does, some steps before, for a session that it has already
  const account = await findAccount(asking, user.id)
  if (!account || !oidc.client) return Check.NO_NEED_TO_PROMPT
  oidc.entity('Account', account)
  const { clientId } = oidc.client
  const grant = await loadGrant(asking)
  oidc.entity('Grant', grant ?? new oidc.provider.Grant({ accountId: user.id, clientId }))
  if (grant) {
    oidc.session.ensureClientContainer(clientId)
    oidc.session.grantIdFor(clientId, grant.jti)
  }
  return Check.NO_NEED_TO_PROMPT
})

export const knownPerson = () => new Prompt({ name: 'platform', requestable: false }, known)
