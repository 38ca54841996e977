import type { Database, Transaction } from '@/db/client'
import { selectProvider, selectProvidersOfMailDomain } from './queries'

/** Returns whether an enabled provider claims the domain of an e-mail (lower case); it doesn't look at accounts. */
export const isDirectoryEmail = async (email: string, run?: Transaction): Promise<boolean> =>
  (await selectProvidersOfMailDomain(email.slice(email.lastIndexOf('@') + 1), run)).length > 0

/**
 * Returns the name of a directory, and the address where its people change their password; null for one that is gone.
 */
export async function directoryOf(
  run: Database | Transaction,
  providerId: string,
): Promise<{ provider: string; link: string } | null> {
  const found = await selectProvider(run, providerId)
  if (!found) return null
  const base = found.url.replace(/\/+$/, '')
  const realm = found.type === 'keycloak' && found.realm
  const link = realm ? `${base}/realms/${encodeURIComponent(realm)}/account` : `${base}/platform/forgot-password`
  return { provider: found.name, link }
}
