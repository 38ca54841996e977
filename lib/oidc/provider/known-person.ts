import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { findAccount } from './account'
import { loadGrant } from './grants'
import { joinPlatform } from './joining'
import { requestOf } from './request'

const { Check, Prompt } = interactionPolicy

/** The provider reads the hint when a request comes; it counts as well when a person comes back. */
async function readHint({ oidc }: KoaContextWithOIDC) {
  const hint = oidc.params?.id_token_hint
  if (typeof hint !== 'string' || !oidc.client || oidc.entities.IdTokenHint) return
  oidc.entity('IdTokenHint', await oidc.provider.IdToken.validate(hint, oidc.client))
}

/**
 * Asks nothing: whoever is signed in at the platform is so for the provider too, which has no session of theirs before
 * their first application. Without this `prompt=none` would be refused to them.
 */
const known = new Check('platform_person', 'never asked for', async (ctx) => {
  const asking = ctx as KoaContextWithOIDC
  const { oidc } = asking
  await readHint(asking)
  const { session, user } = await requestOf(ctx.req).ctx()
  if (!session || !user || !oidc.session) return Check.NO_NEED_TO_PROMPT
  const isTheirs = oidc.session.accountId === user.id
  const isNobodys = !oidc.session.accountId && oidc.route === 'authorization'
  if (!isTheirs && !isNobodys) return Check.NO_NEED_TO_PROMPT
  const person = { sessionId: session.id, accountId: user.id }
  if (!(await joinPlatform(oidc.provider, oidc.session, person))) return Check.NO_NEED_TO_PROMPT
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
