import { randomUUID } from 'node:crypto'
import { type Database, db, type Transaction } from '@/db/client'
import type { AuditContext } from '@/lib/base/audit/audit'
import { enqueue } from '@/lib/base/jobs/jobs'
import { withoutSecrets } from '@/lib/base/mail-and-sms/send-error'
import { countUp } from '@/lib/base/runtime/metrics'
import { currentRequestId } from '@/lib/base/runtime/request-id'
import { usableClient } from '../clients/service'
import { auditHourly } from '../clients/traces'
import { endSessionRecords } from '../token-store/service'
import { insertLogout, logoutRows, removeOldLogouts, storeLogoutAttempt } from './queries'

/** The most attempts to send a logout notice: eight take about an hour. */
const logoutAttempts = 8

type Logout = { clientId: string; accountId: string; sid: string }

/**
 * Queues a logout notice that tells an application of the end of a session, in the transaction of the cause. Does
 * nothing for an application without a logout address.
 */
export async function queueLogout(tx: Transaction | Database, logout: Logout): Promise<void> {
  const client = await usableClient(logout.clientId)
  if (!client?.backchannelLogoutUri) return
  await enqueue(tx, 'backchannelLogout', { id: await insertLogout(tx, logout) }, { maxAttempts: logoutAttempts })
}

/**
 * Removes the tokens and grants of a session that has ended, and queues the logout notices of its applications. May run
 * twice.
 */
export const endOpenIdSession = (uid: string): Promise<void> =>
  db().transaction(async (tx) => {
    const session = await endSessionRecords(tx, uid)
    if (!session?.accountId) return
    for (const [clientId, { sid }] of Object.entries(session.authorizations ?? {}))
      if (sid) await queueLogout(tx, { clientId, accountId: session.accountId, sid })
  })

/** The error of a logout notice that isn't tried again: its job becomes dead, and can be started again. */
class GivenUp extends Error {
  override name = 'GivenUp'
}

/**
 * Tries `send` once and stores the result. Throws what `send` throws, so that the job is repeated. After the last
 * attempt it records the failure in the client's history and throws GivenUp, so that the job is dead; it does neither
 * if the client takes no notices any more. A job that is started again begins anew
 * (docs/rules/openid-provider.md#notices-of-sign-outs).
 */
export async function tryLogout(
  id: string,
  { lastTry }: { lastTry: boolean },
  send: (logout: Logout) => Promise<void>,
): Promise<void> {
  const logout = await logoutRows.select(id)
  if (!logout || logout.status === 'sent') return
  try {
    await send(logout)
  } catch (error) {
    const reason = withoutSecrets(error instanceof Error ? error.message : 'failed')
    countUp('platform_logout_notices_total', { outcome: lastTry ? 'givenUp' : 'failed' })
    const client = await usableClient(logout.clientId)
    const hasAddress = Boolean(client?.backchannelLogoutUri)
    await db().transaction(async (tx) => {
      await storeLogoutAttempt(tx, id, { status: lastTry ? 'failed' : 'queued', error: reason, at: new Date() })
      const ctx: AuditContext = {
        ip: '',
        user: null,
        requestId: currentRequestId() ?? randomUUID(),
        now: () => new Date(),
      }
      if (lastTry && hasAddress) await auditHourly(tx, ctx, logout.clientId, 'noticeGivenUp', reason)
    })
    if (!lastTry) throw error
    if (hasAddress) throw new GivenUp(`${client?.name}: ${reason}`, { cause: error })
    return
  }
  await storeLogoutAttempt(db(), id, { status: 'sent', error: null, at: new Date() })
  countUp('platform_logout_notices_total', { outcome: 'sent' })
}

/** Removes logout notices that were created before a time, with their dead jobs. */
export const tidyLogouts = (before: Date): Promise<void> => removeOldLogouts(before)
