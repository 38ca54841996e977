import { type SQL, sql } from 'drizzle-orm'
import { type Database, db, executePlanned, type Transaction } from '@/db/client'
import type { MessageCounter } from '@/db/schema/operations'
import { currentRequestId } from '../runtime/request-id'
import { traceparent } from '../runtime/tracing'

/** The payload of each task of every subject. */
export interface TaskPayloads {
  /** Runs the housekeeping steps. */
  housekeeping: Record<string, never>
  /** Sends a sign-in code, if the attempt has an account to send it to. */
  signInCode: {
    attemptId: string
    flow: 'email_code' | 'sms_code'
    /** Encrypted. */
    code: string
    /** The domain's host. */
    host: string
    locale: string
    endTime: string
    /** The counter by which the previous version counted it. */
    counter: MessageCounter
    /** The browser that requested the code, if the account has signed in with it before. */
    knownDevice?: string | null
  }
  /** Sends recovery links to the accounts of an e-mail, if there are any. */
  recoveryLinks: {
    /** In lower case. */
    email: string
    /** The domain's host. */
    host: string
    locale: string
    /** The address of the request. */
    ip: string
  }
  /** Sends the mail of a registration's first step; which mail depends on the accounts of the e-mail. */
  registrationMail: {
    /** E-mail, names and agreements, encrypted. */
    told: string
    /** The domain's host. */
    host: string
    locale: string
  }
  /** Ends the tokens and grants of a session of the OpenID Provider, and notifies its applications. */
  oidcSessionEnded: { uid: string }
  /** Notifies one application that a session has ended. */
  backchannelLogout: { id: string }
  /** Sends one queued message. */
  message: { id: string }
  /** Sends the digests that are due. */
  digests: Record<string, never>
  /** Adds the new rows of the history to the history chain. */
  sealHistory: Record<string, never>
  /** Runs the checks of the monitoring if they are due. */
  monitoring: Record<string, never>
  /** Starts the synchronizations that are due. */
  providerSyncs: Record<string, never>
  /** Starts the exchanges with other systems that are due. */
  integrationSyncs: Record<string, never>
  /**
   * Delivers the events of a span of time to a webhook once more, beginning after event `after`. Times are in ISO form.
   */
  webhookReplay: { webhookId: string; from: string; to: string; after: number }
  /** Notifies the next people, after the person `after`, of published news; or takes back withdrawn news from some. */
  news: { id: string; after: string | null }
  /** Processes rows of a batch job. */
  run: { id: string }
}

export type TaskName = keyof TaskPayloads

type JobOptions = {
  /** A later job with the same key replaces one that has not begun. */
  jobKey?: string
  runAt?: Date
  /** 25 by default; the waits between tries grow. */
  maxAttempts?: number
  /** Jobs of the same queue run one after another. */
  queue?: string
  /** By default `urgent`: a job that somebody waits for. */
  priority?: keyof typeof priorities
}

/**
 * Lower numbers go first. Rows of a batch job go before the mails that it queues: else it would wait until these are
 * sent.
 */
const priorities = { urgent: 0, run: 5, bulk: 10 }

/** The keys in each job's payload for the id of the request that queued it and for the open span, if there are any. */
export const requestIdKey = 'requestId'
export const spanKey = 'traceparent'

const originOfJob = (): Record<string, string> => {
  const [requestId, span] = [currentRequestId(), traceparent()]
  return { ...(requestId ? { [requestIdKey]: requestId } : {}), ...(span ? { [spanKey]: span } : {}) }
}

/** Returns the expression that adds a job, for a statement that does so only on a condition. */
export const jobOf = <T extends TaskName>(
  task: T,
  payload: TaskPayloads[T],
  { jobKey, runAt, maxAttempts, queue, priority = 'urgent' }: JobOptions = {},
): SQL =>
  sql`graphile_worker.add_job(
    identifier => ${task}::text,
    payload => ${JSON.stringify({ ...payload, ...originOfJob() })}::json,
    run_at => ${runAt?.toISOString() ?? null}::timestamptz,
    max_attempts => ${maxAttempts ?? null}::integer,
    job_key => ${jobKey ?? null}::text,
    queue_name => ${queue ?? null}::text,
    priority => ${priorities[priority]}::integer
  )`

/** Adds a job in the transaction of its cause. The job runs only if the transaction commits. */
export async function enqueue<T extends TaskName>(
  tx: Database | Transaction,
  task: T,
  payload: TaskPayloads[T],
  options?: JobOptions,
): Promise<void> {
  await executePlanned(tx, sql`select ${jobOf(task, payload, options)}`)
}

type ManyOptions<T extends TaskName> = Pick<JobOptions, 'runAt' | 'maxAttempts' | 'priority'> & {
  jobKey?: (payload: TaskPayloads[T]) => string
}

/** Adds a job for each of these payloads, as `enqueue` does, in one statement. */
export async function enqueueEach<T extends TaskName>(
  tx: Database | Transaction,
  task: T,
  payloads: readonly TaskPayloads[T][],
  { jobKey, runAt, maxAttempts, priority = 'urgent' }: ManyOptions<T> = {},
): Promise<void> {
  if (payloads.length === 0) return
  const texts = payloads.map((payload) => JSON.stringify({ ...payload, ...originOfJob() }))
  const keys = payloads.map((payload) => jobKey?.(payload) ?? null)
  await executePlanned(
    tx,
    sql`select count(*) from graphile_worker.add_jobs((
      select array_agg((${task}::text, job.payload::json, null::text, ${runAt?.toISOString() ?? null}::timestamptz,
        ${maxAttempts ?? null}::integer, job.key, ${priorities[priority]}::integer, null::text[])::graphile_worker.job_spec)
      from unnest(${sql.param(texts)}::text[], ${sql.param(keys)}::text[]) job (payload, key)))`,
  )
}

/** The condition for a dead job of graphile_worker.jobs. A job that runs its last try isn't dead yet. */
export const isDeadJob = sql`(attempts >= max_attempts and locked_at is null)`

/** Deletes at most `limit` jobs that have been dead since before `before`. Returns how many. */
export async function removeDeadJobs(before: Date, limit: number): Promise<number> {
  const { rows } = await db().execute(sql`select id from graphile_worker.complete_jobs(array(
    select id from graphile_worker.jobs where ${isDeadJob} and updated_at < ${before}::timestamptz limit ${limit}::int))`)
  return rows.length
}
