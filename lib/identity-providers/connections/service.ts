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
 * Returns whether an enabled provider other than `except` claims the domain of an e-mail (lower case). It doesn't read
 * accounts.
 */
export const isDirectoryEmail = async (email: string, run?: Transaction, except?: string | null): Promise<boolean> =>
  (await selectProvidersOfMailDomain(email.slice(email.lastIndexOf('@') + 1), run, except ?? undefined)).length > 0

/**
 * Returns the name of a directory, and the address where its people change their password; null if it doesn't exist.
 */
export async function directoryOf(
  run: Database | Transaction,
  providerId: string,
): Promise<{ provider: string; link: string } | null> {
  const provider = await selectProvider(run, providerId)
  if (!provider) return null
  const base = provider.url.replace(/\/+$/, '')
  if (provider.type === 'oidc') return { provider: provider.name, link: new URL(base).origin }
  const realm = provider.type === 'keycloak' && provider.realm
  const link = realm ? `${base}/realms/${encodeURIComponent(realm)}/account` : `${base}/platform/forgot-password`
  return { provider: provider.name, link }
}

/**
 * Returns the preparer of the accounts that a provider keeps: the caller who entered its address or its mappers; null
 * if an administrator vouches for it (docs/rules/providers.md#who-vouches-for-a-provider).
 */
export const preparerAt = (tx: Transaction, providerId: string): Promise<string | null> =>
  selectEnteredBy(tx, providerId)

export type { ProviderRow, ProviderSyncRow } from './queries'

/** Returns the whole row of a provider; undefined if there is none. */
export const wholeProvider = (run: Database | Transaction, id: string): Promise<ProviderRow | undefined> =>
  selectWholeProvider(run, id)

/** Deletes records of calls to directories that are older than `before`. */
export const tidyCalls = (before: Date): Promise<void> => deleteOldCalls(before)

/** The functions that open each type of directory. */
export const directories = { keycloak, wapps, oidc: openid }

/** Returns the decrypted secret of a stored directory. */
export const secretOf = ({ id, clientSecret }: Pick<ProviderRow, 'id' | 'clientSecret'>): string =>
  decrypt('providers', clientSecret, id)

/** Returns a stored directory, ready for requests. */
export const openDirectory = (row: ProviderRow): Directory =>
  directories[row.type]({
    id: row.id,
    url: row.url,
    realm: row.realm ?? '',
    clientId: row.clientId,
    clientSecret: secretOf(row),
  })
