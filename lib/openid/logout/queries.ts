import { eq, lt, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { rowsById } from '@/db/rows'
import { oidcLogouts } from '@/db/schema/oidc'
import { isDeadJob } from '@/lib/base/jobs/jobs'
import { deleteInBatches, inBatches } from '@/lib/base/postgres/batches'

export async function insertLogout(
  tx: Transaction | Database,
  values: { clientId: string; accountId: string; sid: string },
): Promise<string> {
  const [row] = await tx.insert(oidcLogouts).values(values).returning({ id: oidcLogouts.id })
  if (!row) throw new Error('no logout was stored')
  return row.id
}

export const logoutRows = rowsById(oidcLogouts)

/** Stores the result of an attempt; `queued` means that there will be another one. */
export const storeLogoutAttempt = (
  run: Transaction | Database,
  id: string,
  { status, error, at }: { status: 'queued' | 'sent' | 'failed'; error: string | null; at: Date },
) =>
  run
    .update(oidcLogouts)
    .set({
      status,
      error,
      attempts: sql`${oidcLogouts.attempts} + 1`,
      finishedAt: status === 'queued' ? null : at,
    })
    .where(eq(oidcLogouts.id, id))

/**
 * Removes logout notices that were created before a time, and their dead jobs, which nobody has started again since.
 */
export async function removeOldLogouts(before: Date): Promise<void> {
  await deleteInBatches(oidcLogouts, oidcLogouts.createdAt, lt(oidcLogouts.createdAt, before))
  await inBatches(async (limit) => {
    const { rows } = await db().execute(sql`select id from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs where ${isDeadJob} and task_identifier = 'backchannelLogout'
        and created_at < ${before}::timestamptz limit ${limit}::int))`)
    return rows.length
  })
}
