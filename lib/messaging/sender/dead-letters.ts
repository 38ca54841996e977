import { and, eq, isNull, ne, notInArray, or, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { messages } from '@/db/schema/operations'
import { audit } from '@/lib/base/audit/audit'
import { invalidate } from '@/lib/base/cache/cache'
import { requireAccess } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { enqueue } from '@/lib/base/jobs/jobs'
import { maxMessageTries } from '@/lib/base/mail-and-sms/queue'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import { messageEntity } from './entity'

const area = 'monitoring'

/**
 * Templates with a code. They aren't sent again: the code may have expired, and the person may have requested another
 * one.
 */
const codeTemplates = ['signInCode', 'mobileCode', 'contactCode', 'passwordCode', 'deletionCode', 'factorsCode']

/** Returns SQL: whether a dead message can still be sent. */
export const isSendable = (now: Date) =>
  and(
    ne(messages.content, ''),
    notInArray(messages.template, codeTemplates),
    or(isNull(messages.expiresAt), sql`${messages.expiresAt} > ${now}`),
  )

/**
 * Queues a dead message again, with the same Message-ID. Needs monitoring.write. Throws 404, 409 if it isn't dead or
 * somebody has already queued it again, and 409 messageTooOld if it has expired, contains a code, or its content has
 * been deleted.
 */
export async function retryMessage(ctx: Ctx, { id }: { id: string }) {
  requireAccess(ctx, { area }, 'POST')
  await db().transaction(async (tx) => {
    const now = ctx.now()
    const rows = await tx
      .update(messages)
      .set({ status: 'queued', error: null, finishedAt: null })
      .where(and(eq(messages.id, id), eq(messages.status, 'failed'), isSendable(now)))
      .returning({ id: messages.id })
    if (rows.length === 0) {
      const [message] = await tx.select({ status: messages.status }).from(messages).where(eq(messages.id, id))
      if (!message) throw notFound()
      throw new AppError(409, message.status === 'failed' ? 'messageTooOld' : undefined)
    }
    await enqueue(tx, 'message', { id }, { jobKey: `message:${id}`, maxAttempts: maxMessageTries })
    await audit(tx, ctx, messageEntity, id, { status: 'failed' }, { status: 'queued' })
    // the number in the menu counts failed messages
    await invalidate(tx, 'overview')
  })
  return {}
}
