import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import type { Transaction } from '@/db/client'
import { seal } from '@/lib/kernel/crypto/secrets'
import { clientMetadata } from '@/lib/oidc/clients/service'
import { durableAdapter } from './durable'
import {
  findSessionRecord,
  latestOfAccount,
  lockSessionsOfAccount,
  removeAnswers,
  removeBySession,
  removeExpired,
  removeOfAccount,
  replacePayload,
} from './queries'
import { payloadOf } from './sealed'
import { shortLivedAdapter } from './short-lived'
import { orUnavailable } from './unavailable'

const durable = new Set(['Session', 'Grant', 'AccessToken', 'RefreshToken', 'ClientCredentials'])

const nothing = async () => undefined

/** Clients are only read here: what makes and changes them are verbs of their own. */
const clientAdapter: Adapter = {
  find: (id) => orUnavailable(() => clientMetadata(id, new Date())),
  findByUid: nothing,
  findByUserCode: nothing,
  upsert: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
}

/** Where the provider keeps a kind of record: what lasts in PostgreSQL, what lives minutes in Redis. */
export const adapterOf: AdapterFactory = (model) => {
  if (model === 'Client') return clientAdapter
  return durable.has(model) ? durableAdapter(model) : shortLivedAdapter(model)
}

/** Removes a session with its tokens and grants; gives what it was, or null if it is gone already. */
export async function endSessionRecords(tx: Transaction, uid: string): Promise<AdapterPayload | null> {
  const row = await findSessionRecord(uid, tx)
  const session = row ? payloadOf(row) : null
  const grants = Object.values(session?.authorizations ?? {}).flatMap(({ grantId }) => grantId ?? [])
  await removeBySession(tx, uid, grants)
  return session
}

const dateOf = (seconds: number | undefined) => new Date((seconds ?? 0) * 1000)

export type Held = { scopes: string[]; since: Date | null; lastUsed: Date | null }

/** What each of these clients holds of an account: the scopes of its grants, since when, and its latest token. */
export async function heldByClients(accountId: string, clientIds: string[], now: Date): Promise<Map<string, Held>> {
  const held = new Map<string, Held>()
  for (const row of await latestOfAccount(accountId, clientIds, now)) {
    const of = held.get(row.clientId ?? '') ?? { scopes: [], since: null, lastUsed: null }
    held.set(row.clientId ?? '', of)
    const payload = payloadOf(row)
    const at = dateOf(payload.iat)
    if (row.model === 'Grant') {
      const { scope = '' } = (payload.openid ?? {}) as { scope?: string }
      of.scopes = [...new Set([...of.scopes, ...scope.split(' ').filter(Boolean)])]
      if (!of.since || at < of.since) of.since = at
    } else if (!of.lastUsed || at > of.lastUsed) of.lastUsed = at
  }
  return held
}

/**
 * Ends all that clients hold of an account: grants, tokens, their part in its sessions. Gives whether there was
 * anything, and by what name each was told of the sessions.
 */
export async function endClientRecords(tx: Transaction, accountId: string, clientIds: string[]) {
  const told = new Map<string, { clientId: string; sid: string }>()
  for (const row of await lockSessionsOfAccount(tx, accountId)) {
    const session = payloadOf(row)
    const authorizations = { ...session.authorizations }
    const parts = clientIds.filter((clientId) => authorizations[clientId])
    if (parts.length === 0) continue
    for (const clientId of parts) {
      const sid = authorizations[clientId]?.sid
      if (sid) told.set(`${clientId} ${sid}`, { clientId, sid })
      delete authorizations[clientId]
    }
    const payload = JSON.stringify({ ...session, authorizations })
    await replacePayload(tx, row.idHash, seal('oidc', payload, row.idHash))
  }
  return { removed: await removeOfAccount(tx, accountId, clientIds), told: [...told.values()] }
}

/** Milliseconds within which the end of a session has surely been told: longer than its job is tried. */
const toldWithin = 7 * 24 * 60 * 60 * 1000

/** Removes what has expired. */
export async function tidyRecords(now: Date): Promise<void> {
  await removeAnswers(now)
  await removeExpired(now, new Date(now.getTime() - toldWithin))
}
