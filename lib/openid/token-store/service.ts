import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import type { Transaction } from '@/db/client'
import { encrypt } from '@/lib/base/crypto/encryption'
import { clientMetadata } from '../clients/service'
import { durableAdapter } from './durable'
import { payloadOf, recordKey } from './encrypted-record'
import {
  lockSessionRecordsOfAccount,
  removeExpiredAnswers,
  removeExpiredRecords,
  removeGrants,
  removeGrantsOfAccount,
  removeRecordsOfAccount,
  removeRecordsOfSession,
  selectLatestOfAccount,
  selectSessionRecord,
  storePayload,
  takeGrant,
} from './queries'
import { shortLivedAdapter } from './short-lived'
import { orUnavailable } from './unavailable'

const durableModels = new Set(['Session', 'Grant', 'AccessToken', 'RefreshToken', 'ClientCredentials'])

const noOperation = async () => undefined

/** Clients are only read here; service functions create and change them. */
const clientAdapter: Adapter = {
  find: (id) => orUnavailable(() => clientMetadata(id, new Date())),
  findByUid: noOperation,
  findByUserCode: noOperation,
  upsert: noOperation,
  consume: noOperation,
  destroy: noOperation,
  revokeByGrantId: noOperation,
}

/** Returns the adapter for a kind of record: PostgreSQL for those that must last, Redis for those of minutes. */
export const adapterOf: AdapterFactory = (model) => {
  if (model === 'Client') return clientAdapter
  return durableModels.has(model) ? durableAdapter(model) : shortLivedAdapter(model)
}

/** Removes a session with its tokens and grants. Returns its content, or null if it no longer exists. */
export async function endSessionRecords(tx: Transaction, uid: string): Promise<AdapterPayload | null> {
  const row = await selectSessionRecord(uid, tx)
  const session = row ? payloadOf(row) : null
  const grants = Object.values(session?.authorizations ?? {}).flatMap(({ grantId }) => grantId ?? [])
  await removeRecordsOfSession(tx, uid, grants)
  return session
}

const dateOf = (seconds: number | undefined) => new Date((seconds ?? 0) * 1000)

export type ClientAccess = { scopes: string[]; since: Date | null; lastUsed: Date | null }

/**
 * Returns what each of these clients has for an account: the scopes of its grants, since when, and the time of its
 * latest token.
 */
export async function readClientAccess(
  accountId: string,
  clientIds: string[],
  now: Date,
): Promise<Map<string, ClientAccess>> {
  const accessByClient = new Map<string, ClientAccess>()
  for (const row of await selectLatestOfAccount(accountId, clientIds, now)) {
    const access = accessByClient.get(row.clientId ?? '') ?? { scopes: [], since: null, lastUsed: null }
    accessByClient.set(row.clientId ?? '', access)
    const payload = payloadOf(row)
    const issuedAt = dateOf(payload.iat)
    if (row.model === 'Grant') {
      const { scope = '' } = (payload.openid ?? {}) as { scope?: string }
      access.scopes = [...new Set([...access.scopes, ...scope.split(' ').filter(Boolean)])]
      if (!access.since || issuedAt < access.since) access.since = issuedAt
    } else if (!access.lastUsed || issuedAt > access.lastUsed) access.lastUsed = issuedAt
  }
  return accessByClient
}

/**
 * Ends all access of clients to an account: grants, tokens and their part in its sessions. Returns how many records
 * were removed, and the logouts to send.
 */
export async function endClientRecords(tx: Transaction, accountId: string, clientIds: string[]) {
  const logouts = new Map<string, { clientId: string; sid: string }>()
  for (const row of await lockSessionRecordsOfAccount(tx, accountId)) {
    const session = payloadOf(row)
    const authorizations = { ...session.authorizations }
    const endingIds = clientIds.filter((clientId) => authorizations[clientId])
    if (endingIds.length === 0) continue
    for (const clientId of endingIds) {
      const sid = authorizations[clientId]?.sid
      if (sid) logouts.set(`${clientId} ${sid}`, { clientId, sid })
      delete authorizations[clientId]
    }
    const payload = JSON.stringify({ ...session, authorizations })
    await storePayload(tx, row.idHash, encrypt('oidc', payload, row.idHash))
  }
  return { removed: await removeRecordsOfAccount(tx, accountId, clientIds), logouts: [...logouts.values()] }
}

type Grant = { idHash: string; grantId: string | null; clientId: string | null }

/**
 * Ends grants of an account with their tokens, and their part in its sessions. Returns how many grants were removed, and
 * the logouts to send.
 */
export async function endGrants(tx: Transaction, accountId: string, grants: readonly Grant[]) {
  const ids = new Set(grants.flatMap(({ grantId }) => grantId ?? []))
  const logouts: { clientId: string; sid: string }[] = []
  for (const row of await lockSessionRecordsOfAccount(tx, accountId)) {
    const session = payloadOf(row)
    const parts = Object.entries(session.authorizations ?? {})
    const ended = parts.filter(([, { grantId }]) => grantId && ids.has(grantId))
    if (ended.length === 0) continue
    for (const [clientId, { sid }] of ended) if (sid) logouts.push({ clientId, sid })
    const authorizations = Object.fromEntries(parts.filter((part) => !ended.includes(part)))
    const payload = JSON.stringify({ ...session, authorizations })
    await storePayload(tx, row.idHash, encrypt('oidc', payload, row.idHash))
  }
  return { removed: await removeGrants(tx, [...ids]), logouts }
}

/**
 * Ends a grant with its tokens. Returns its account; null if it has ended already. Of several calls at once only one
 * gets the account.
 */
export async function endGrant(tx: Transaction, grantId: string): Promise<{ accountId: string | null } | null> {
  return (await takeGrant(tx, recordKey('Grant', grantId), grantId)) ?? null
}

/**
 * Ends all that was issued for an account that is being deleted, also outside of sessions. The end of its sessions
 * notifies the applications.
 */
export async function endAccountRecords(tx: Transaction, accountId: string): Promise<void> {
  await removeGrantsOfAccount(tx, accountId)
}

/** Milliseconds within which applications have been notified of the end of a session: longer than the job is tried. */
const notifiedWithin = 7 * 24 * 60 * 60 * 1000

/** Removes expired records and answers. */
export async function tidyRecords(now: Date): Promise<void> {
  await removeExpiredAnswers(now)
  await removeExpiredRecords(now, new Date(now.getTime() - notifiedWithin))
}
