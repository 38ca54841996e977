import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import type { Transaction } from '@/db/client'
import { clientMetadata } from '@/lib/oidc/clients/service'
import { durableAdapter } from './durable'
import { findSessionRecord, removeBySession, removeExpired } from './queries'
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

/** Milliseconds within which the end of a session has surely been told: longer than its job is tried. */
const toldWithin = 7 * 24 * 60 * 60 * 1000

/** Removes what has expired. */
export const tidyRecords = async (now: Date): Promise<void> =>
  void (await removeExpired(now, new Date(now.getTime() - toldWithin)))
