import * as client from 'openid-client'
import type { ContactKind } from '@/lib/accounts/users/own'
import type { Ctx } from '@/lib/base/context/ctx'
import { mailDomain } from '@/lib/base/text/email'
import { maskSecrets } from '@/lib/base/text/masks'
import { redirectTo } from '@/lib/identity-providers/connections/addresses'
import { type DirectoryPerson, toldOfEach } from '@/lib/identity-providers/connections/directory'
import { sourcesOf } from '@/lib/identity-providers/connections/kinds'
import { configurationOf, isClientRefused } from '@/lib/identity-providers/connections/openid'
import type { ProviderRow } from '@/lib/identity-providers/connections/service'
import { issuingOf } from '@/lib/identity-providers/connections/sign-in'
import type { Pending } from './pending'
import { ProviderRefused, type Refusal, said } from './refusal'

type Claims = Record<string, unknown>

/** Shorter values are words: without them a reason could not be read any more. */
const leastHidden = 6

/** `unproven` are contacts that the provider names and hasn't proven. */
type OpenidPerson = DirectoryPerson & { unproven: ContactKind[] }

/** Somebody whom a provider has proven. */
export type Identity = {
  /** Who that is there: the subject, which is the external id here. */
  subject: string
  sid: string | null
  /** Reads what the provider says about the person. */
  person(): Promise<OpenidPerson>
  /** How the provider names the account, for the person who links it. */
  name: string
}

/** What OAuth says of an error, wherever it stands. */
const oauthError = (told: { error?: unknown; error_description?: unknown } | undefined): string =>
  [told?.error, told?.error_description].filter((part) => typeof part === 'string' && part !== '').join(': ')

/** Returns why something went wrong, in the words of the provider if it said so. */
function reasonOf(error: unknown): string {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError)
    return oauthError(error)
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown }
  if (error instanceof client.WWWAuthenticateChallengeError) {
    const told = oauthError(error.cause[0]?.parameters)
    if (told) return told
  }
  const { code: deeper, cause: deepest } = (cause ?? {}) as { code?: unknown; cause?: { claim?: unknown } }
  const status = cause instanceof Response ? cause.status : undefined
  return [...new Set([code, message, status, deeper, deepest?.claim])].filter(Boolean).map(String).join(' ')
}

/** Sorts what went wrong: the provider said no, it doesn't answer, or its answer can't be trusted. `secrets` are hidden. */
function refusalOf(error: unknown, secrets: readonly string[]): ProviderRefused {
  if (error instanceof ProviderRefused) return error
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  const refused = (refusal: Refusal) =>
    new ProviderRefused(
      refusal,
      said(
        maskSecrets(
          reasonOf(error),
          secrets.filter(({ length }) => length >= leastHidden),
        ),
      ),
    )
  if (error instanceof client.AuthorizationResponseError) {
    if (error.error === 'access_denied') return refused('canceled')
    return refused(['temporarily_unavailable', 'server_error'].includes(error.error) ? 'down' : 'denied')
  }
  if (isClientRefused(error) || (cause instanceof Response && cause.status >= 500)) return refused('down')
  const judged = error instanceof client.ResponseBodyError || (typeof code === 'string' && code.startsWith('OAUTH_'))
  return refused(judged && code !== 'OAUTH_TIMEOUT' ? 'answer' : 'down')
}

/** Returns the metadata of a provider. Throws ProviderRefused if it can't be found. */
const found = (provider: ProviderRow) => {
  const issuing = issuingOf(provider)
  return configurationOf(issuing).catch((error) => {
    throw new ProviderRefused('down', refusalOf(error, [issuing.clientSecret]).reason)
  })
}

type Asking = { state: string; hint: string | undefined; anew: boolean } & Pick<Pending, 'nonce' | 'verifier'>

/** Returns the address at which the provider asks the person. Throws ProviderRefused if it doesn't answer. */
export async function askingAddress(ctx: Ctx, provider: ProviderRow, asking: () => Promise<Asking>): Promise<string> {
  // nothing is kept for a provider that doesn't answer
  const config = await found(provider)
  const { state, nonce, verifier, hint, anew } = await asking()
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectTo(ctx.domain.origin, provider.id),
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
 * Makes a person of claims. A contact counts if the provider has proven it, an e-mail also if the provider claims its
 * domain; any other is as if it weren't sent (docs/rules/providers.md#first-sign-in).
 */
function personFrom(claims: Claims, externalId: string, emailDomains: readonly string[]): OpenidPerson {
  const { email, email_verified: proven, phone_number, phone_number_verified: reached, ...rest } = claims
  const domain = typeof email === 'string' ? (mailDomain(email.slice(email.lastIndexOf('@') + 1)) ?? '') : ''
  const known: Claims = {
    ...rest,
    ...(isTrue(proven) || emailDomains.includes(domain) ? { email } : {}),
    ...(isTrue(reached) ? { phone_number } : {}),
  }
  const told = toldOfEach(known) ?? {}
  return {
    externalId,
    enabled: true,
    fields: Object.fromEntries(
      sourcesOf.oidc.flatMap((name) => (Object.hasOwn(told, name) ? [[name, told[name] ?? null]] : [])),
    ),
    attributes: told,
    roles: [],
    unproven: [
      ...(email && !known.email ? ['email' as const] : []),
      ...(phone_number && !known.phone_number ? ['mobile' as const] : []),
    ],
    proven: [...(isTrue(proven) ? ['email'] : []), ...(isTrue(reached) ? ['phone_number'] : [])],
  }
}

const shortest = (claims: Claims): string =>
  [claims.email, claims.preferred_username, claims.name].find((one) => typeof one === 'string' && one !== '') as string

/**
 * Exchanges the code of an answer, and checks everything that it brought: the issuer, the state, the nonce, the signature
 * and the audience of the ID token. Throws ProviderRefused.
 */
export async function identityFrom(
  ctx: Ctx,
  provider: ProviderRow,
  { search, state, pending }: { search: URLSearchParams; state: string; pending: Pending },
): Promise<Identity> {
  const config = await found(provider)
  const address = new URL(redirectTo(ctx.domain.origin, provider.id))
  address.search = search.toString()
  const secrets = [issuingOf(provider).clientSecret, search.get('code') ?? '', state, pending.nonce, pending.verifier]
  try {
    const tokens = await client.authorizationCodeGrant(config, address, {
      expectedState: state,
      expectedNonce: pending.nonce,
      pkceCodeVerifier: pending.verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims() as Claims & { sub: string }
    const { sub: subject, sid } = claims
    if (![subject, sid ?? '', shortest(claims) ?? ''].every((one) => isStorable(String(one))))
      throw new ProviderRefused('answer', 'nulInName')
    const more = async (): Promise<Claims> => {
      if (!config.serverMetadata().userinfo_endpoint || provider.scopes.length === 0) return {}
      return client.fetchUserInfo(config, tokens.access_token, subject)
    }
    return {
      subject,
      sid: typeof sid === 'string' && sid !== '' ? sid : null,
      name: (shortest(claims) ?? '').slice(0, 255),
      async person() {
        const told = await more().catch((error) => {
          throw refusalOf(error, secrets)
        })
        return personFrom({ ...told, ...claims }, subject, provider.emailDomains)
      },
    }
  } catch (error) {
    throw refusalOf(error, secrets)
  }
}
