import { and, count, gt, isNull, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { sessions } from '@/db/schema/entry'

/** Returns the number of jobs by task and state, with the seconds for which the oldest one has been due. */
export async function selectJobs() {
  const { rows } = await db().execute<{ task: string; state: string; count: number; oldest: number }>(sql`
    select task_identifier as task,
      case when locked_at is not null then 'running' when attempts >= max_attempts then 'dead'
        when run_at <= now() then 'due' else 'waiting' end as state,
      count(*)::int as count,
      coalesce(max(extract(epoch from now() - run_at)) filter (where attempts < max_attempts and run_at <= now()), 0)::float8
        as oldest
    from graphile_worker.jobs group by 1, 2`)
  return rows
}

/** Returns the number of live sessions. */
export async function countLiveSessions(): Promise<number> {
  const [row] = await db()
    .select({ count: count() })
    .from(sessions)
    .where(and(isNull(sessions.endedAt), gt(sessions.expiresAt, sql`now()`)))
  return row?.count ?? 0
}
