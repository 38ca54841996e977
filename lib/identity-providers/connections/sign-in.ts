import { db } from '@/db/client'
import { cached } from '@/lib/base/cache/cache'
import { mailDomain } from '@/lib/base/text/email'
import type { IssuerConnection } from './openid'
import { type ProviderRow, selectEnabledProviders, selectWholeProvider } from './queries'
import { secretOf } from './service'

export type SignInProvider = { id: string; name: string }

const enabledProviders = () => cached('providers:sign-in', () => selectEnabledProviders())

/** Returns the enabled providers that the sign-in pages of a domain offer, by name. */
export const offeredProviders = async (domainId: string): Promise<SignInProvider[]> =>
  (await enabledProviders()).filter(({ domains }) => domains.includes(domainId)).map(({ id, name }) => ({ id, name }))

/** Returns the enabled provider that claims the domain of an e-mail; null if none does. It doesn't read accounts. */
export async function claimingProvider(email: string): Promise<SignInProvider | null> {
  const domain = mailDomain(email.slice(email.lastIndexOf('@') + 1)) ?? ''
  const provider = (await enabledProviders()).find(({ emailDomains }) => emailDomains.includes(domain))
  return provider ? { id: provider.id, name: provider.name } : null
}

/**
 * Returns a provider if people may sign in through it on a domain: it is enabled, and the domain offers it or it claims
 * mail domains. Returns null otherwise.
 */
export async function providerToSignIn(id: string, domainId: string): Promise<ProviderRow | null> {
  const provider = (await enabledProviders()).find((candidate) => candidate.id === id)
  if (!provider || !(provider.domains.includes(domainId) || provider.emailDomains.length > 0)) return null
  const row = await selectWholeProvider(db(), id)
  return row?.enabled ? row : null
}

/** Returns a provider, enabled or not; null if there is none. */
export const signInProvider = async (id: string): Promise<ProviderRow | null> =>
  (await selectWholeProvider(db(), id)) ?? null

/** Returns whether a provider is enabled at this moment. */
export const isProviderEnabled = async (id: string): Promise<boolean> =>
  (await selectWholeProvider(db(), id))?.enabled === true

/** Returns the connection to a stored provider as an OpenID issuer, with its decrypted secret. */
export const issuerConnectionOf = (row: ProviderRow): IssuerConnection => ({
  id: row.id,
  type: row.type,
  url: row.url,
  realm: row.realm ?? '',
  clientId: row.clientId,
  clientSecret: secretOf(row),
})
