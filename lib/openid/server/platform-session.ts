import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { findAccount } from './account'
import { loadGrant } from './grants'
import { joinPlatform } from './joining'
import { requestOf } from './request'

const { Check, Prompt } = interactionPolicy

/**
 * Reads the ID token hint. oidc-provider does that for a new request only, but it also counts when a person comes back.
 */
async function readHint({ oidc }: KoaContextWithOIDC) {
  const hint = oidc.params?.id_token_hint
  if (typeof hint !== 'string' || !oidc.client || oidc.entities.IdTokenHint) return
  oidc.entity('IdTokenHint', await oidc.provider.IdToken.validate(hint, oidc.client))
}

/**
 * Signs a person of the platform in at the OpenID Provider, which has no session before their first application, and
 * never prompts. Without this `prompt=none` would be refused.
 */
const signInCheck = new Check('platform_person', 'never asked for', async (ctx) => {
  const oidcCtx = ctx as KoaContextWithOIDC
  const { oidc } = oidcCtx
  await readHint(oidcCtx)
  const { session, user } = await requestOf(ctx.req).ctx()
  if (!session || !user || !oidc.session) return Check.NO_NEED_TO_PROMPT
  const isSamePerson = oidc.session.accountId === user.id
  const isAnonymous = !oidc.session.accountId && oidc.route === 'authorization'
  if (!isSamePerson && !isAnonymous) return Check.NO_NEED_TO_PROMPT
  const person = { sessionId: session.id, accountId: user.id }
  if (!(await joinPlatform(oidc.provider, oidc.session, person))) return Check.NO_NEED_TO_PROMPT
  // oidc-provider does this some steps earlier for a session that exists already
  const account = await findAccount(oidcCtx, user.id)
  if (!account || !oidc.client) return Check.NO_NEED_TO_PROMPT
  oidc.entity('Account', account)
  const { clientId } = oidc.client
  const grant = await loadGrant(oidcCtx)
  oidc.entity('Grant', grant ?? new oidc.provider.Grant({ accountId: user.id, clientId }))
  if (grant) {
    oidc.session.ensureClientContainer(clientId)
    oidc.session.grantIdFor(clientId, grant.jti)
  }
  return Check.NO_NEED_TO_PROMPT
})

export const platformPerson = () => new Prompt({ name: 'platform', requestable: false }, signInCheck)
