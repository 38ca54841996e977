import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { countRows, paged, selectPage, wholeRows } from '@/db/list'
import { rowsById } from '@/db/rows'
import { integrationSyncs } from '@/db/schema/integration'
import { runs } from '@/db/schema/runs'
import { integrationKind } from '@/lib/base/batch-jobs/kinds'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type * as calls from './contract'

type Run = Database | Transaction
export type SyncRow = typeof integrationSyncs.$inferSelect

/** Starts and changes of a locked exchange wait for each other. */
export const syncRows = rowsById(integrationSyncs, 'no key update')

/** Returns the ids of the enabled exchanges with an address. */
export const selectScheduled = () =>
  db()
    .select({ id: integrationSyncs.id })
    .from(integrationSyncs)
    .where(and(integrationSyncs.enabled, sql`${integrationSyncs.url} <> ''`))

/** Returns one page of exchanges. */
export const selectSyncPage = (
  query: ServiceInput<typeof calls.listIntegrationSyncs>['query'],
  pageSize: number | null,
) =>
  selectPage(
    query,
    pageSize,
    {
      sorts: { key: integrationSyncs.key, updatedAt: integrationSyncs.updatedAt },
      tie: integrationSyncs.id,
      filters: { enabled: (enabled) => eq(integrationSyncs.enabled, enabled) },
    },
    wholeRows(integrationSyncs),
  )

/** Returns the newest run of each of these exchanges. */
export const selectLastRuns = (run: Run, syncIds: readonly string[]) =>
  run
    .selectDistinctOn([runs.subject])
    .from(runs)
    .where(and(eq(runs.kind, integrationKind), inArray(runs.subject, [...syncIds])))
    .orderBy(asc(runs.subject), desc(runs.createdAt), desc(runs.id))

/** Returns a run of an exchange; undefined if there is none, also for a batch job of another kind. */
export async function selectExchangeRun(run: Run, id: string) {
  const [row] = await run
    .select({ id: runs.id, subject: runs.subject, options: runs.options })
    .from(runs)
    .where(and(eq(runs.id, id), eq(runs.kind, integrationKind)))
  return row
}

/** Returns one page of the runs of an exchange. */
export const selectRunPage = (
  syncId: string,
  query: ServiceInput<typeof calls.listIntegrationRuns>['query'],
  pageSize: number | null,
) =>
  selectPage(
    query,
    pageSize,
    { sorts: { date: runs.createdAt }, tie: runs.id, filters: {} },
    {
      rows: (parts) =>
        paged(db().select({ id: runs.id, options: runs.options }).from(runs).$dynamic(), {
          ...parts,
          where: and(eq(runs.subject, syncId), eq(runs.kind, integrationKind), parts.where),
        }),
      count: (where) => countRows(runs, and(eq(runs.subject, syncId), eq(runs.kind, integrationKind), where)),
    },
  )

/**
 * SQL: whether a run of an exchange may be deleted. The newest run of each exchange stays, because its outcome is the
 * state of the exchange.
 */
export const isFormerExchange = sql`(${runs.kind} = ${integrationKind}
  and exists (select from ${runs} newer where newer.kind = ${runs.kind} and newer.subject = ${runs.subject}
    and (newer.created_at, newer.id) > (${runs.createdAt}, ${runs.id})))`
