import type { Transaction } from '@/db/client'
import { auditMany } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { sessionEntity } from './entity'
import { endSessionRows } from './queries'
import { markSessionsEnded } from './service'

/**
 * Ends those of these sessions that are live, and records an audit event of each; `changerId` caused it, if not the
 * caller. Returns the ended ones, and the function to call after the commit.
 */
export async function endRecordedSessions(
  tx: Transaction,
  ctx: Ctx,
  ids: readonly string[],
  reason: string,
  options: { changerId?: string } = {},
) {
  const rows = await endSessionRows(tx, ids, { reason, now: ctx.now() })
  const deletions = rows.map(({ id, browser, system, ip }) => ({ id, before: { browser, system, ip }, after: null }))
  await auditMany(tx, ctx, sessionEntity, deletions, options)
  const ended = rows.map(({ id }) => id)
  return { rows, ended, afterCommit: () => markSessionsEnded(ended) }
}
