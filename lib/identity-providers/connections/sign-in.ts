import { db } from '@/db/client'
import { cached } from '@/lib/base/cache/cache'
import { mailDomain } from '@/lib/base/text/email'
import type { Issuing } from './openid'
import { type ProviderRow, selectEnabledProviders, selectWholeProvider } from './queries'
import { secretOf } from './service'

export type SignInProvider = { id: string; name: string }

const enabled = () => cached('providers:sign-in', () => selectEnabledProviders())

/** Returns the enabled providers that the sign-in pages of a domain offer, by name. */
export const offeredProviders = async (domainId: string): Promise<SignInProvider[]> =>
  (await enabled()).filter(({ domains }) => domains.includes(domainId)).map(({ id, name }) => ({ id, name }))

/** Returns the enabled provider that claims the domain of an e-mail; null if none does. It doesn't look at accounts. */
export async function claimingProvider(email: string): Promise<SignInProvider | null> {
  const domain = mailDomain(email.slice(email.lastIndexOf('@') + 1)) ?? ''
  const found = (await enabled()).find(({ emailDomains }) => emailDomains.includes(domain))
  return found ? { id: found.id, name: found.name } : null
}

/**
 * Returns a provider through which people may sign in on a domain: it is enabled, and offered there or claims mail
 * domains; null for any other.
 */
export async function providerToSignIn(id: string, domainId: string): Promise<ProviderRow | null> {
  const found = (await enabled()).find((one) => one.id === id)
  if (!found || !(found.domains.includes(domainId) || found.emailDomains.length > 0)) return null
  const row = await selectWholeProvider(db(), id)
  return row?.enabled ? row : null
}

/** Returns a provider, enabled or not; null if there is none. */
export const signInProvider = async (id: string): Promise<ProviderRow | null> =>
  (await selectWholeProvider(db(), id)) ?? null

/** Returns whether a provider is enabled at this moment. */
export const isProviderEnabled = async (id: string): Promise<boolean> =>
  (await selectWholeProvider(db(), id))?.enabled === true

/** Returns a stored provider as the issuer of what it says about people. */
export const issuingOf = (row: ProviderRow): Issuing => ({
  id: row.id,
  type: row.type,
  url: row.url,
  realm: row.realm ?? '',
  clientId: row.clientId,
  clientSecret: secretOf(row),
})
