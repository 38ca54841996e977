import type { Database, Transaction } from '@/db/client'
import { findProvider, providersOfMailDomain } from './queries'

/** Whether an enabled provider claims the e-mail's domain; asks nothing about accounts. The e-mail is in lower case. */
export const isDirectoryEmail = async (email: string): Promise<boolean> =>
  (await providersOfMailDomain(email.slice(email.lastIndexOf('@') + 1))).length > 0

/** How people call a directory and where its people change their password; null for one that is gone. */
export async function directoryOf(
  run: Database | Transaction,
  providerId: string,
): Promise<{ provider: string; link: string } | null> {
  const found = await findProvider(run, providerId)
  if (!found) return null
  const base = found.url.replace(/\/+$/, '')
  const realm = found.type === 'keycloak' && found.realm
  const link = realm ? `${base}/realms/${encodeURIComponent(realm)}/account` : `${base}/platform/forgot-password`
  return { provider: found.name, link }
}
