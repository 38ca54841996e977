import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { db } from '@/db/client'

/** Adds jobs of a kind of their own that were given up. Returns the kind. */
export async function failJob(error = 'Error: the receiver is away', count = 1, task = `test-${randomUUID()}`) {
  await db().execute(sql`select graphile_worker.permanently_fail_jobs(
    array(select (graphile_worker.add_job(${task})).id from generate_series(1, ${count}::int)), ${error})`)
  return task
}

/** Removes the jobs of a kind. */
export const forgetJobs = (task: string) =>
  db().execute(sql`select graphile_worker.complete_jobs(
    array(select id from graphile_worker.jobs where task_identifier = ${task}))`)
