import { type Database, db, type Transaction } from '@/db/client'
import { enqueue } from '@/lib/kernel/jobs'
import { usableClient } from '@/lib/oidc/clients/service'
import { endSessionRecords } from '@/lib/oidc/records/service'
import { findLogout, insertLogout, noteLogout, removeLogouts } from './queries'

/** How often and for how long it is tried: eight tries take about an hour. */
const tries = 8

type Logout = { clientId: string; accountId: string; sid: string }

/** Lets an application be told that a session is over, in the transaction of the cause; nothing if it doesn't listen. */
export async function queueLogout(tx: Transaction | Database, logout: Logout): Promise<void> {
  const client = await usableClient(logout.clientId)
  if (!client?.backchannelLogoutUri) return
  await enqueue(tx, 'backchannelLogout', { id: await insertLogout(tx, logout) }, { maxAttempts: tries })
}

/** Removes the tokens and grants of a session that has ended and lets its applications be told. Bears to run twice. */
export const endProviderSession = (uid: string): Promise<void> =>
  db().transaction(async (tx) => {
    const session = await endSessionRecords(tx, uid)
    if (!session?.accountId) return
    for (const [clientId, { sid }] of Object.entries(session.authorizations ?? {}))
      if (sid) await queueLogout(tx, { clientId, accountId: session.accountId, sid })
  })

/**
 * Makes one try with `send` and notes how it went. Throws what `send` throws, so that the job comes again, unless
 * it was the last try.
 */
export async function tryLogout(
  id: string,
  { lastTry }: { lastTry: boolean },
  send: (logout: Logout) => Promise<void>,
): Promise<void> {
  const logout = await findLogout(id)
  if (logout?.status !== 'queued') return
  try {
    await send(logout)
  } catch (error) {
    const said = error instanceof Error ? error.message.slice(0, 500) : 'failed'
    await noteLogout(id, { status: lastTry ? 'failed' : 'queued', error: said, at: new Date() })
    if (lastTry) return
    throw error
  }
  await noteLogout(id, { status: 'sent', error: null, at: new Date() })
}

/** Removes old outcomes. */
export const tidyLogouts = (before: Date): Promise<void> => removeLogouts(before)
