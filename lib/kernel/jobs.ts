import { sql } from 'drizzle-orm'
import { type Database, executePlanned, type Transaction } from '@/db/client'
import type { MessageCounter } from '@/db/schema/operations'

/** What each task is given. A wing adds its own tasks by augmenting this interface. */
export interface TaskPayloads {
  /** Clears what has expired. */
  housekeeping: Record<string, never>
  /** Turns a sign-in code into a message, if there is somebody to send it to. */
  signInCode: {
    attemptId: string
    flow: 'email_code' | 'sms_code'
    /** Sealed. */
    code: string
    /** The domain's host. */
    host: string
    locale: string
    endTime: string
    /** Where the version before counted it. */
    counter: MessageCounter
    /** The browser that asked, if it has signed the account in before. */
    knownDevice?: string | null
  }
  /** Writes recovery links to the accounts of an e-mail, if there are any. */
  recoveryLinks: {
    /** In lower case. */
    email: string
    /** The domain's host. */
    host: string
    locale: string
    /** Who asked. */
    ip: string
  }
  /** Turns a registration's first step into a mail, by what the e-mail's accounts are. */
  registrationMail: {
    /** E-mail, names and agreements, sealed. */
    told: string
    /** The domain's host. */
    host: string
    locale: string
  }
  /** Ends what hangs on a session of the OpenID Provider, and tells its applications. */
  oidcSessionEnded: { uid: string }
  /** Tells one application that somebody's session is over. */
  backchannelLogout: { id: string }
  /** Sends one queued message. */
  message: { id: string }
  /** Writes the digests that are due. */
  digests: Record<string, never>
}

export type TaskName = keyof TaskPayloads

type JobOptions = {
  /** A later job under the same key replaces one that hasn't begun. */
  jobKey?: string
  runAt?: Date
  /** 25 unless told; the waits between tries grow. */
  maxAttempts?: number
}

/** Adds a job in the transaction of its cause: it runs if that commits, and never otherwise. */
export async function enqueue<T extends TaskName>(
  tx: Database | Transaction,
  task: T,
  payload: TaskPayloads[T],
  { jobKey, runAt, maxAttempts }: JobOptions = {},
): Promise<void> {
  await executePlanned(
    tx,
    sql`select graphile_worker.add_job(
    identifier => ${task}::text,
    payload => ${JSON.stringify(payload)}::json,
    run_at => ${runAt?.toISOString() ?? null}::timestamptz,
    max_attempts => ${maxAttempts ?? null}::integer,
    job_key => ${jobKey ?? null}::text
  )`,
  )
}
