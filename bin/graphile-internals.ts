import { sql } from 'drizzle-orm'

// The tables of graphile-worker that its documentation calls private. tests/unit/project/library-internals.test.ts fails when an
// upgrade changes them.

/** Statement that selects the worker and the time of each job and queue that is being worked on. */
export const selectLocks = `
    select locked_by, locked_at from graphile_worker._private_jobs where locked_by is not null
    union all
    select locked_by, locked_at from graphile_worker._private_job_queues where locked_by is not null`

/** Selects the id and the payload of each job of a task. */
export const selectPayloads = (task: string) => sql`
  select jobs.id::text as id, jobs.payload::text as json from graphile_worker._private_jobs jobs
  join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id where tasks.identifier = ${task}`

/** Replaces the payload of a job that still has the one that was read. */
export const replacePayload = (id: string, before: string, after: string) =>
  sql`update graphile_worker._private_jobs set payload = ${after}::json where id = ${id} and payload::text = ${before}`
