import { and, eq, gt, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { countRows, paged, selectPage } from '@/db/list'
import { messages } from '@/db/schema/operations'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { isDeadJob } from '@/lib/base/jobs/jobs'
import { isSendable } from '@/lib/messaging/sender/dead-letters'
import type { listFailedMessages } from './contract'

type ListInput = ServiceInput<typeof listFailedMessages>['query']

const isFailed = eq(messages.status, 'failed')

/** Returns one page of the failed messages. */
export const selectFailedMessages = (query: ListInput, pageSize: number | null, now: Date) =>
  selectPage(
    query,
    pageSize,
    {
      sorts: { createdAt: messages.createdAt },
      tie: messages.id,
      filters: {
        kind: (kind) => eq(messages.kind, kind),
        template: (template) => eq(messages.template, template),
        hours: (hours) => gt(messages.createdAt, new Date(now.getTime() - hours * 3_600_000)),
      },
    },
    {
      rows: ({ where, ...parts }) =>
        paged(
          db()
            .select({
              id: messages.id,
              kind: messages.kind,
              template: messages.template,
              recipient: messages.recipient,
              attempts: messages.attempts,
              error: messages.error,
              createdAt: messages.createdAt,
              sendable: sql<boolean>`coalesce(${isSendable(now)}, false)`,
            })
            .from(messages)
            .$dynamic(),
          { ...parts, where: and(isFailed, where) },
        ),
      count: (where) => countRows(messages, and(isFailed, where)),
    },
  )

/** Returns the dead jobs, by task. */
export async function selectFailedJobs() {
  const { rows } = await db().execute<{ task: string; count: number; failedAt: string; error: string | null }>(sql`
    select task_identifier as task, count(*)::int as count,
      to_char(max(updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "failedAt",
      (array_agg(last_error order by updated_at desc))[1] as error
    from graphile_worker.jobs where ${isDeadJob} group by 1 order by max(updated_at) desc, 1`)
  return rows
}

/** Makes the dead jobs of a task run again with all their attempts. Returns their number. */
export async function reviveJobs(tx: Transaction, task: string): Promise<number> {
  // of simultaneous callers, the second one waits here and then finds no dead jobs
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('retry of jobs'), hashtext(${task}))`)
  const { rows } = await tx.execute<{ revived: number }>(sql`
    select count(*)::int as revived from graphile_worker.reschedule_jobs(
      (select array_agg(id) from graphile_worker.jobs where ${isDeadJob} and task_identifier = ${task}),
      run_at => now(), attempts => 0)`)
  return rows[0]?.revived ?? 0
}
