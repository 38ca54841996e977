import * as client from 'openid-client'
import type { ContactKind } from '@/lib/accounts/users/own'
import type { Ctx } from '@/lib/base/context/ctx'
import { mailDomain } from '@/lib/base/text/email'
import { maskSecrets } from '@/lib/base/text/masks'
import { callbackAddress } from '@/lib/identity-providers/connections/addresses'
import { type DirectoryPerson, sourceValuesOf } from '@/lib/identity-providers/connections/directory'
import { sourcesOf } from '@/lib/identity-providers/connections/kinds'
import { configurationOf, isClientRefused } from '@/lib/identity-providers/connections/openid'
import type { ProviderRow } from '@/lib/identity-providers/connections/service'
import { issuerConnectionOf } from '@/lib/identity-providers/connections/sign-in'
import type { Pending } from './pending'
import { ProviderRefused, type Refusal, safeReason } from './refusal'

type Claims = Record<string, unknown>

/** Shorter secrets aren't hidden: they may be words, without which a reason couldn't be read. */
const shortestSecret = 6

/** A person of an OpenID provider; `unproven` are contacts that the provider sends and hasn't proven. */
type OpenidPerson = DirectoryPerson & { unproven: ContactKind[] }

/** A person whom a provider has proven. */
export type Identity = {
  /** The `sub` of the ID token, which is the external id here. */
  subject: string
  sid: string | null
  /** Reads the data of the person from the provider. */
  person(): Promise<OpenidPerson>
  /** The name of the account at the provider, for the person who links it. */
  name: string
}

/** Returns the OAuth error code with its description, from an error or from parameters. */
const oauthError = (answer: { error?: unknown; error_description?: unknown } | undefined): string =>
  [answer?.error, answer?.error_description].filter((part) => typeof part === 'string' && part !== '').join(': ')

/** Returns the reason of a failure, in the words of the provider if it sent one. */
function reasonOf(error: unknown): string {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError)
    return oauthError(error)
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown }
  if (error instanceof client.WWWAuthenticateChallengeError) {
    const described = oauthError(error.cause[0]?.parameters)
    if (described) return described
  }
  const { code: deeper, cause: deepest } = (cause ?? {}) as { code?: unknown; cause?: { claim?: unknown } }
  const status = cause instanceof Response ? cause.status : undefined
  return [...new Set([code, message, status, deeper, deepest?.claim])].filter(Boolean).map(String).join(' ')
}

/**
 * Returns the refusal for a failure: the provider refused, doesn't answer, or its answer isn't valid. Hides `secrets`.
 */
function refusalOf(error: unknown, secrets: readonly string[]): ProviderRefused {
  if (error instanceof ProviderRefused) return error
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  const refusalWith = (refusal: Refusal) =>
    new ProviderRefused(
      refusal,
      safeReason(
        maskSecrets(
          reasonOf(error),
          secrets.filter(({ length }) => length >= shortestSecret),
        ),
      ),
    )
  if (error instanceof client.AuthorizationResponseError) {
    if (error.error === 'access_denied') return refusalWith('canceled')
    return refusalWith(['temporarily_unavailable', 'server_error'].includes(error.error) ? 'down' : 'denied')
  }
  if (isClientRefused(error) || (cause instanceof Response && cause.status >= 500)) return refusalWith('down')
  const isAnswerFault =
    error instanceof client.ResponseBodyError || (typeof code === 'string' && code.startsWith('OAUTH_'))
  return refusalWith(isAnswerFault && code !== 'OAUTH_TIMEOUT' ? 'answer' : 'down')
}

/** Returns the OpenID configuration of a provider. Throws ProviderRefused if it can't be read. */
const discover = (provider: ProviderRow) => {
  const issuing = issuerConnectionOf(provider)
  return configurationOf(issuing).catch((error) => {
    throw new ProviderRefused('down', refusalOf(error, [issuing.clientSecret]).reason)
  })
}

type AuthorizationRequest = { state: string; hint: string | undefined; anew: boolean } & Pick<
  Pending,
  'nonce' | 'verifier'
>

/** Returns the authorization address of a provider. Throws ProviderRefused if the provider doesn't answer. */
export async function authorizationAddress(
  ctx: Ctx,
  provider: ProviderRow,
  prepare: () => Promise<AuthorizationRequest>,
): Promise<string> {
  // nothing is stored for a provider that doesn't answer
  const config = await discover(provider)
  const { state, nonce, verifier, hint, anew } = await prepare()
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: callbackAddress(ctx.domain.origin, provider.id),
    scope: ['openid', ...provider.scopes].join(' '),
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...{ state, nonce },
    ...(hint ? { login_hint: hint } : {}),
    ...(anew ? { prompt: 'login' } : {}),
  })
  return address.href
}

/** PostgreSQL holds no text with this character. */
const isStorable = (text: string) => !text.includes('\0')

const isTrue = (value: unknown) => value === true || value === 'true'

/**
 * Returns the person of these claims. A contact counts if the provider has proven it, an e-mail also if the provider
 * claims its domain; any other contact counts as not sent (docs/rules/providers.md#first-sign-in).
 */
function personFrom(claims: Claims, externalId: string, emailDomains: readonly string[]): OpenidPerson {
  const {
    email,
    email_verified: emailProven,
    phone_number,
    phone_number_verified: phoneProven,
    ...otherClaims
  } = claims
  const domain = typeof email === 'string' ? (mailDomain(email.slice(email.lastIndexOf('@') + 1)) ?? '') : ''
  const provenClaims: Claims = {
    ...otherClaims,
    ...(isTrue(emailProven) || emailDomains.includes(domain) ? { email } : {}),
    ...(isTrue(phoneProven) ? { phone_number } : {}),
  }
  const values = sourceValuesOf(provenClaims) ?? {}
  return {
    externalId,
    enabled: true,
    fields: Object.fromEntries(
      sourcesOf.oidc.flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name] ?? null]] : [])),
    ),
    attributes: values,
    roles: [],
    unproven: [
      ...(email && !provenClaims.email ? ['email' as const] : []),
      ...(phone_number && !provenClaims.phone_number ? ['mobile' as const] : []),
    ],
    proven: [...(isTrue(emailProven) ? ['email'] : []), ...(isTrue(phoneProven) ? ['phone_number'] : [])],
  }
}

const accountName = (claims: Claims): string =>
  [claims.email, claims.preferred_username, claims.name].find(
    (text) => typeof text === 'string' && text !== '',
  ) as string

/**
 * Exchanges the code of an answer for tokens, and checks them: the issuer, the state, the nonce, the signature and the
 * audience of the ID token. Returns the identity. Throws ProviderRefused.
 */
export async function identityFrom(
  ctx: Ctx,
  provider: ProviderRow,
  { search, state, pending }: { search: URLSearchParams; state: string; pending: Pending },
): Promise<Identity> {
  const config = await discover(provider)
  const address = new URL(callbackAddress(ctx.domain.origin, provider.id))
  address.search = search.toString()
  const secrets = [
    issuerConnectionOf(provider).clientSecret,
    search.get('code') ?? '',
    state,
    pending.nonce,
    pending.verifier,
  ]
  try {
    const tokens = await client.authorizationCodeGrant(config, address, {
      expectedState: state,
      expectedNonce: pending.nonce,
      pkceCodeVerifier: pending.verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims() as Claims & { sub: string }
    const { sub: subject, sid } = claims
    if (![subject, sid ?? '', accountName(claims) ?? ''].every((text) => isStorable(String(text))))
      throw new ProviderRefused('answer', 'nulInName')
    const readUserInfo = async (): Promise<Claims> => {
      if (!config.serverMetadata().userinfo_endpoint || provider.scopes.length === 0) return {}
      return client.fetchUserInfo(config, tokens.access_token, subject)
    }
    return {
      subject,
      sid: typeof sid === 'string' && sid !== '' ? sid : null,
      name: (accountName(claims) ?? '').slice(0, 255),
      async person() {
        const userInfo = await readUserInfo().catch((error) => {
          throw refusalOf(error, secrets)
        })
        return personFrom({ ...userInfo, ...claims }, subject, provider.emailDomains)
      },
    }
  } catch (error) {
    throw refusalOf(error, secrets)
  }
}
