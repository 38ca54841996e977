import type { Database, Transaction } from '@/db/client'
import { decrypt } from '@/lib/base/crypto/encryption'
import type { Directory } from './directory'
import { keycloak } from './keycloak'
import { openid } from './openid'
import {
  deleteOldCalls,
  type ProviderRow,
  selectEnteredBy,
  selectProvider,
  selectProvidersOfMailDomain,
  selectWholeProvider,
} from './queries'
import { wapps } from './wapps'

/**
 * Returns whether an enabled provider, other than `except`, claims the domain of an e-mail (lower case); it doesn't look at
 * accounts.
 */
export const isDirectoryEmail = async (email: string, run?: Transaction, except?: string | null): Promise<boolean> =>
  (await selectProvidersOfMailDomain(email.slice(email.lastIndexOf('@') + 1), run, except ?? undefined)).length > 0

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
  if (found.type === 'oidc') return { provider: found.name, link: new URL(base).origin }
  const realm = found.type === 'keycloak' && found.realm
  const link = realm ? `${base}/realms/${encodeURIComponent(realm)}/account` : `${base}/platform/forgot-password`
  return { provider: found.name, link }
}

/**
 * Returns as whom a provider prepares the accounts that it keeps: whoever entered where it leads or what becomes of it,
 * null if an administrator vouches for it (docs/rules/providers.md#who-vouches-for-a-provider).
 */
export const preparerAt = (tx: Transaction, providerId: string): Promise<string | null> =>
  selectEnteredBy(tx, providerId)

export type { ProviderRow, ProviderSyncRow } from './queries'

/** Returns a provider with everything; undefined if there is none. */
export const wholeProvider = (run: Database | Transaction, id: string): Promise<ProviderRow | undefined> =>
  selectWholeProvider(run, id)

/** Deletes calls to directories from before then. */
export const tidyCalls = (before: Date): Promise<void> => deleteOldCalls(before)

/** How each type of directory is read. */
export const directories = { keycloak, wapps, oidc: openid }

/** Opens the secret of a stored directory. */
export const secretOf = ({ id, clientSecret }: Pick<ProviderRow, 'id' | 'clientSecret'>): string =>
  decrypt('providers', clientSecret, id)

/** Returns a stored directory, ready to be read. */
export const directoryOn = (row: ProviderRow): Directory =>
  directories[row.type]({
    id: row.id,
    url: row.url,
    realm: row.realm ?? '',
    clientId: row.clientId,
    clientSecret: secretOf(row),
  })
