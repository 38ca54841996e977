import { errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { mayUse } from '../claims/service'
import { trialAddress } from '../trials/service'
import { acrCheck } from './acr'
import { platformPerson } from './platform-session'
import { requestOf } from './request'
import { isTrialGoingOn } from './trial-request'

const { Check, Prompt, base } = interactionPolicy

/** Checks the redirect address again when a person comes back: an administrator may have removed it since. */
const addressCheck = new Check(
  'redirect_uri',
  'the address is not the client’s any more',
  'invalid_request',
  async (ctx) => {
    const oidcCtx = ctx as KoaContextWithOIDC
    const { client, params } = oidcCtx.oidc
    const address = params?.redirect_uri
    if (typeof address !== 'string') return Check.NO_NEED_TO_PROMPT
    const isAllowed = address === trialAddress() ? await isTrialGoingOn(oidcCtx) : client?.redirectUriAllowed(address)
    if (!isAllowed) throw new errors.InvalidRedirectUri()
    return Check.NO_NEED_TO_PROMPT
  },
)

/**
 * Asks for a sign-in unless the session of the OpenID Provider belongs to the person who is signed in at the platform
 * in this browser.
 */
const platformSessionCheck = new Check('platform_session', 'the person must sign in', 'login_required', async (ctx) => {
  const { oidc } = ctx as KoaContextWithOIDC
  const { session, user } = await requestOf(ctx.req).ctx()
  if (!session || !user || !oidc.session || oidc.session.accountId !== user.id) return Check.REQUEST_PROMPT
  return Check.NO_NEED_TO_PROMPT
})

/**
 * Asks a signed-in person for agreements before the application gets an answer; `prompt=none` can't ask, and gets an
 * error (docs/rules/agreements.md#people-who-are-signed-in).
 */
const agreementsCheck = new Check('agreements', 'the person must agree first', 'interaction_required', async (ctx) => {
  const { terms } = await requestOf(ctx.req).ctx()
  return terms?.length ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT
})

/** An application with methods is only for people who hold one of them. */
const accessPrompt = new Prompt(
  { name: 'access', requestable: false },
  new Check('no_method', 'the application is not open to this person', 'access_denied', async (ctx) => {
    const { session, client } = (ctx as KoaContextWithOIDC).oidc
    if (!session?.accountId || !client) return Check.REQUEST_PROMPT
    return (await mayUse(session.accountId, client.clientId)) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT
  }),
)

/** Returns what an authorization request asks of the person, in this order: sign-in, access, consent. */
export function policy() {
  const prompts = base()
  const { checks } = prompts.get('login') ?? {}
  for (const reason of ['essential_acr', 'essential_acrs']) checks?.remove(reason)
  checks?.add(addressCheck, 0)
  checks?.add(platformSessionCheck)
  checks?.add(agreementsCheck)
  checks?.add(acrCheck)
  prompts.add(accessPrompt, 1)
  prompts.add(new Prompt({ name: 'select_account', requestable: true }), 0)
  prompts.add(platformPerson(), 0)
  // without this code a missing consent would be answered as interaction_required
  for (const check of prompts.get('consent')?.checks ?? []) check.error ??= 'consent_required'
  return prompts
}
