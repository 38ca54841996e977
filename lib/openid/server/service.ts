import Provider, { type Client, type Configuration, errors, type JWK, type KoaContextWithOIDC } from 'oidc-provider'
import { db } from '@/db/client'
import { requestableSchemas } from '@/lib/access/authentication-schemas/service'
import { keysOf } from '@/lib/base/crypto/encryption'
import { log } from '@/lib/base/runtime/log'
import { countUp } from '@/lib/base/runtime/metrics'
import { interactionLifespan } from '@/lib/sign-in/interactions/service'
import { platformSettings } from '@/lib/site/settings/service'
import { scopeClaims } from '../claims/service'
import { isClientSecret, type lifespanNames, ownMetadataNames } from '../clients/service'
import { needsConsent } from '../consents/service'
import { issuer } from '../issuer'
import { signingKeys } from '../keys/service'
import { queueLogout } from '../logout/service'
import { withRotation } from '../token-store/rotation'
import { adapterOf } from '../token-store/service'
import { findAccount } from './account'
import { restrictClaims } from './acr'
import { countPushed, guardAnonymousRequests } from './anonymous-requests'
import { allowsOrigin, checkClientAssertion, patchClients } from './clients'
import { describeFailure } from './descriptions'
import { deviceFlow, guardDeviceCodes, takePrefilledCode } from './device'
import { externalFetch } from './external-fetch'
import { answerTooManyFailures, countAuthentication, countClientFailures } from './failed-authentications'
import { loadGrant, scopes } from './grants'
import { mayIntrospect } from './introspection'
import { detachSession, formToken, type Members, replaceMember } from './oidc-provider-internals'
import { providerFailureOf, requestingApplication, show } from './pages'
import { policy } from './policy'
import { refreshingOf } from './refreshing'
import { requestOf } from './request'
import { guardAcr } from './required-acr'
import { extraTokenClaims, resourceIndicators, rotateRefreshToken } from './resources'
import { resumeAddress } from './resume-address'
import { revokeGrantPolicy, traceRacedCodes } from './reuse'
import { adoptPlatformSession, endPlatformSession } from './signing-out'
import { storeBeginning } from './start-session'
import { noteTrial } from './trial-request'
import { dropAnswer } from './view'

type Settings = Awaited<ReturnType<typeof platformSettings>>

export const interactionPath = '/platform/interaction/'

const isSecure = () => issuer().startsWith('https:')
/** Not `__Host-` like our other cookies, because these belong to the paths of the OpenID Provider only. */
const cookieName = (name: string) => (isSecure() ? `__Secure-${name}` : name)

const lifespanOf = (client: Client | undefined, name: (typeof lifespanNames)[number]) =>
  client?.[name] as number | undefined

/** The settings of the last request: oidc-provider asks for lifespans synchronously. */
let latestSettings: Settings
const grantLifespan = () => latestSettings.sessionAlive
/** The session lifespan; a session without an account only lives for a form. */
const sessionLifespan = (_ctx: unknown, { accountId }: { accountId?: string | undefined }) =>
  accountId ? latestSettings.sessionAlive : interactionLifespan
const idTokenLifespan = () => latestSettings.accessTokenLifespan

function configuration(keys: JWK[], acrValues: string[]): Configuration {
  return {
    adapter: adapterOf,
    jwks: { keys },
    interactions: {
      policy: policy(),
      async url({ req }, interaction) {
        const { uid, prompt, params } = interaction
        const { session } = await requestOf(req).ctx()
        await storeBeginning(uid, session?.id, String(params.client_id))
        // another person may sign in, which ends the session in which this began
        if (['login', 'select_account'].includes(prompt.name) && interaction.session?.uid) {
          detachSession(interaction)
          await interaction.save(interactionLifespan)
        }
        return `${interactionPath}${uid}`
      },
    },
    cookies: {
      keys: keysOf('oidc').map(({ key }) => key.toString('base64url')),
      names: {
        session: cookieName('oidc_session'),
        interaction: cookieName('oidc_interaction'),
        resume: cookieName('oidc_resume'),
      },
      long: { path: '/oidc', signed: true, httpOnly: true, sameSite: 'lax', secure: isSecure() },
      short: { signed: true, httpOnly: true, sameSite: 'lax', secure: isSecure() },
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      clientCredentials: { enabled: true },
      claimsParameter: { enabled: true, assertClaimsParameter: restrictClaims },
      deviceFlow,
      introspection: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => mayIntrospect(client, token),
      },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      resourceIndicators,
      rpInitiatedLogout: {
        enabled: true,
        async logoutSource(ctx) {
          const [action, stay] = [ctx.oidc.urlFor('end_session_confirm'), await resumeAddress(ctx.oidc)]
          const application = await requestingApplication(ctx)
          return show(ctx, { kind: 'signOut', action, xsrf: formToken(ctx.oidc), stay, application })
        },
        postLogoutSuccessSource: (ctx) => show(ctx, { kind: 'signedOut' }),
      },
    },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    extraClientMetadata: { properties: [...ownMetadataNames] },
    responseTypes: ['code'],
    clientBasedCORS: allowsOrigin,
    discovery: { prompt_values_supported: ['none', 'login', 'consent', 'select_account'] },
    acrValues,
    fetch: externalFetch,
    revokeGrantPolicy: (ctx) => revokeGrantPolicy(ctx as KoaContextWithOIDC),
    pkce: { required: (_ctx, client) => client.without_pkce !== true },
    assertJwtClientAuthClaimsAndHeader: checkClientAssertion,
    allowOmittingSingleRegisteredRedirectUri: false,
    rotateRefreshToken,
    extraTokenClaims,
    // an external application only stays signed in if the person has consented to that
    issueRefreshToken: async (_ctx, client, { scopes: granted }) =>
      client.grantTypeAllowed('refresh_token') &&
      (granted.has('offline_access') || !(await needsConsent(client.clientId))),
    expiresWithSession: async () => true,
    scopes,
    claims: scopeClaims,
    conformIdTokenClaims: false,
    loadExistingGrant: loadGrant,
    findAccount,
    async renderError(ctx, _out, error) {
      const failure = providerFailureOf(error, (ctx.req as { originalUrl?: string }).originalUrl)
      return show(ctx, { kind: 'failure', failure, application: await requestingApplication(ctx) })
    },
    ttl: {
      AccessToken: (_ctx, _token, client) =>
        lifespanOf(client, 'access_token_lifespan') ?? latestSettings.accessTokenLifespan,
      ClientCredentials: (_ctx, _token, client) =>
        lifespanOf(client, 'access_token_lifespan') ?? latestSettings.clientAccessTokenLifespan,
      RefreshToken: (_ctx, _token, client) =>
        lifespanOf(client, 'refresh_token_lifespan') ?? latestSettings.refreshTokenLifespan,
      AuthorizationCode: 60,
      DeviceCode: 600,
      IdToken: idTokenLifespan,
      Interaction: interactionLifespan,
      Session: sessionLifespan,
      Grant: grantLifespan,
    },
  }
}

/**
 * Adapts clients of the OpenID Provider: a secret is compared with all valid ones, and a job, which tries again, sends
 * logout notices.
 */
function patchAuthentication(provider: Provider): Members['Client#backchannelLogout'] {
  replaceMember(
    provider,
    'Client#compareClientSecret',
    () =>
      async function (candidate) {
        return countAuthentication(this.clientId, await isClientSecret(this.clientId, candidate, new Date()))
      },
  )
  return replaceMember(
    provider,
    'Client#backchannelLogout',
    () =>
      function (accountId, sid) {
        return db().transaction((tx) => queueLogout(tx, { clientId: this.clientId, accountId, sid }))
      },
  )
}

export type OidcProvider = {
  provider: Provider
  handle: ReturnType<Provider['callback']>
  /** Notifies one application at once that a session has ended. Throws when the application does not accept it. */
  sendLogout(clientId: string, accountId: string, sid: string): Promise<void>
}

function build(keys: JWK[], acrValues: string[]): OidcProvider {
  const provider = new Provider(issuer(), configuration(keys, acrValues))
  provider.proxy = true
  guardDeviceCodes(provider)
  guardAnonymousRequests(provider)
  guardAcr(provider)
  countClientFailures(provider)
  traceRacedCodes(provider)
  adoptPlatformSession(provider)
  provider.use(async (ctx, next) => {
    takePrefilledCode(ctx)
    try {
      await countPushed(ctx as KoaContextWithOIDC)
      await noteTrial(ctx as KoaContextWithOIDC)
      await withRotation(next, refreshingOf(ctx))
      answerTooManyFailures(ctx as KoaContextWithOIDC)
    } catch (error) {
      const providerError = error instanceof errors.OIDCProviderError ? error : null
      dropAnswer(ctx.req)
      ctx.respond = true
      if (!providerError) log.error({ err: error }, 'a refresh could not be stored')
      ctx.status = providerError?.statusCode ?? 500
      ctx.body = { error: providerError?.error ?? 'server_error', error_description: providerError?.error_description }
    }
    describeFailure(ctx as KoaContextWithOIDC)
    await endPlatformSession(ctx as KoaContextWithOIDC)
  })
  provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'the OpenID Provider failed'))
  provider.on('grant.success', ({ oidc }) => {
    countUp('platform_tokens_total', { grant: String(oidc.params?.grant_type ?? '').replace(/^.*:/, '') })
  })
  const send = patchAuthentication(provider)
  patchClients(provider)
  return {
    provider,
    handle: provider.callback(),
    async sendLogout(clientId, accountId, sid) {
      const client = await provider.Client.find(clientId)
      if (!client) throw new errors.InvalidClient('the client is disabled')
      await send.call(client, accountId, sid)
    },
  }
}

let current: { keys: string; value: OidcProvider } | undefined

/**
 * Returns the OpenID Provider with the current keys, schemas and lifespans; builds a new one when keys or schemas have
 * changed.
 */
export async function oidcProvider(): Promise<OidcProvider> {
  const [settings, keys, schemas] = await Promise.all([
    platformSettings(),
    signingKeys(new Date()),
    requestableSchemas(),
  ])
  const acrValues = schemas.map(({ code }) => code)
  latestSettings = settings
  const inputs = [issuer(), ...keys.map(({ kid }) => kid), ...acrValues, ...keysOf('oidc').map(({ id }) => id)].join()
  if (current?.keys !== inputs) current = { keys: inputs, value: build(keys, acrValues) }
  return current.value
}
