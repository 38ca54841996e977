import { type Database, db, type Transaction } from '@/db/client'
import { enqueue } from '@/lib/kernel/jobs'
import { usableClient } from '@/lib/oidc/clients/service'
import { endSessionRecords } from '@/lib/oidc/records/service'
import { insertLogout, removeOldLogouts, selectLogout, storeLogoutAttempt } from './queries'

/** How many tries a logout has: eight take about an hour. */
const tries = 8

type Logout = { clientId: string; accountId: string; sid: string }

/**
 * Queues the notification of an application that a session has ended, in the transaction of the cause. Does nothing for
 * an application without a logout address.
 */
export async function queueLogout(tx: Transaction | Database, logout: Logout): Promise<void> {
  const client = await usableClient(logout.clientId)
  if (!client?.backchannelLogoutUri) return
  await enqueue(tx, 'backchannelLogout', { id: await insertLogout(tx, logout) }, { maxAttempts: tries })
}

/**
 * Removes the tokens and grants of a session that has ended and queues the notifications of its applications. May run
 * twice.
 */
export const endProviderSession = (uid: string): Promise<void> =>
  db().transaction(async (tx) => {
    const session = await endSessionRecords(tx, uid)
    if (!session?.accountId) return
    for (const [clientId, { sid }] of Object.entries(session.authorizations ?? {}))
      if (sid) await queueLogout(tx, { clientId, accountId: session.accountId, sid })
  })

/**
 * Tries `send` once and stores the result. Throws what `send` throws, so that the job is repeated, unless it was the
 * last try.
 */
export async function tryLogout(
  id: string,
  { lastTry }: { lastTry: boolean },
  send: (logout: Logout) => Promise<void>,
): Promise<void> {
  const logout = await selectLogout(id)
  if (logout?.status !== 'queued') return
  try {
    await send(logout)
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 500) : 'failed'
    await storeLogoutAttempt(id, { status: lastTry ? 'failed' : 'queued', error: reason, at: new Date() })
    if (lastTry) return
    throw error
  }
  await storeLogoutAttempt(id, { status: 'sent', error: null, at: new Date() })
}

/** Removes notifications that were created before a time. */
export const tidyLogouts = (before: Date): Promise<void> => removeOldLogouts(before)
