import { db } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { invalidate } from '@/lib/base/cache/cache'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { withoutSecrets } from '@/lib/base/mail-and-sms/send-error'
import { notFound } from '@/lib/base/runtime/errors'
import * as sender from '@/lib/messaging/sender/dead-letters'
import type * as calls from './contract'
import { jobEntity } from './entity'
import { reviveJobs, selectFailedJobs, selectFailedMessages } from './queries'

/** Returns one page of the failed messages, without their text. Needs monitoring.read. */
export async function listFailedMessages(ctx: Ctx, { query }: ServiceInput<typeof calls.listFailedMessages>) {
  requireMethod(ctx, 'monitoring.read')
  const { rows, meta } = await selectFailedMessages(query, ctx.user?.pagination ?? null, ctx.now())
  return { messages: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })), meta }
}

/** Sends a failed message again. Needs monitoring.write. Throws the 404 and 409 of the sender. */
export const retryMessage = (ctx: Ctx, { params }: ServiceInput<typeof calls.retryMessage>) =>
  sender.retryMessage(ctx, params)

/** Returns the dead jobs, by task. Needs monitoring.read. */
export async function listFailedJobs(ctx: Ctx) {
  requireMethod(ctx, 'monitoring.read')
  const jobs = await selectFailedJobs()
  // only the first line: the error of a query continues with its values
  return { jobs: jobs.map((job) => ({ ...job, error: job.error && withoutSecrets(job.error.split('\n')[0] ?? '') })) }
}

/**
 * Runs the dead jobs of a task again, which makes an audit event. Of simultaneous callers only one finds them. Needs
 * monitoring.write. Throws 404 if there are none (docs/rules/administration-screens.md#failed-work).
 */
export async function retryJobs(ctx: Ctx, { params: { task } }: ServiceInput<typeof calls.retryJobs>) {
  requireMethod(ctx, 'monitoring.write')
  return db().transaction(async (tx) => {
    const retried = await reviveJobs(tx, task)
    if (retried === 0) throw notFound()
    await audit(tx, ctx, jobEntity, task, { retried: null }, { retried })
    await invalidate(tx, 'overview')
    return { retried }
  })
}
