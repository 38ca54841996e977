import { and, eq, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { dailyCounters } from '@/db/schema/entry'
import { type MessageCounter, messages } from '@/db/schema/operations'
import { log } from '../runtime/log'
import { decryptContent, type StoredContent } from './content'
import { SendError } from './send-error'

export type QueuedMessage = typeof messages.$inferSelect
export type MessageStatus = QueuedMessage['status']

/** Sends a message. Throws SendError. */
export type SendMessage = (message: QueuedMessage, content: StoredContent) => Promise<unknown>

/**
 * Subtracts one from a daily counter. If the counter is blocked, the block ends and the refused attempt is subtracted
 * too.
 */
export async function giveBack(tx: Transaction, { kind, key, day, also }: MessageCounter): Promise<void> {
  await tx
    .update(dailyCounters)
    .set({
      count: sql`greatest(0, ${dailyCounters.count} - case when ${dailyCounters.blockedUntil} is null then 1 else 2 end)`,
      blockedUntil: null,
    })
    .where(and(eq(dailyCounters.kind, kind), eq(dailyCounters.key, key), eq(dailyCounters.day, day)))
  if (also) await giveBack(tx, also)
}

/** Stores the result of a try. If a message ends unsent, its daily counter is reduced, once. */
async function storeResult(message: QueuedMessage, values: { status: MessageStatus; error: string | null }, now: Date) {
  const { id, counter } = message
  const isUnsent = values.status === 'failed' || values.status === 'dropped'
  const update = (connection: Database | Transaction) =>
    connection
      .update(messages)
      .set({
        ...values,
        attempts: sql`${messages.attempts} + ${values.status === 'dropped' ? 0 : 1}`,
        ...(values.status === 'queued' ? {} : { finishedAt: now }),
        ...(isUnsent ? { counter: null } : {}),
      })
      .where(and(eq(messages.id, id), eq(messages.status, 'queued')))
      .returning({ id: messages.id })
  if (!isUnsent || !counter) {
    await update(db())
    return
  }
  await db().transaction(async (tx) => {
    if ((await update(tx)).length > 0) await giveBack(tx, counter)
  })
}

/**
 * Tries a queued message once. Returns its new status: `sent`, `queued` for another try, `failed` after the last one,
 * `dropped` if it has expired; undefined if it isn't queued any more.
 */
export async function tryMessage(id: string, deliver: SendMessage, { lastTry, now }: { lastTry: boolean; now: Date }) {
  const [message] = await db().select().from(messages).where(eq(messages.id, id))
  if (message?.status !== 'queued') return undefined
  if (message.expiresAt && message.expiresAt <= now) {
    await storeResult(message, { status: 'dropped', error: message.error }, now)
    return { status: 'dropped' as const, error: null }
  }
  try {
    await deliver(message, decryptContent(message))
  } catch (thrown) {
    // the text of an unexpected error is not stored: it may contain the mail
    const error = thrown instanceof SendError ? thrown : new SendError(nameOf(thrown))
    const status = error.permanent || lastTry ? ('failed' as const) : ('queued' as const)
    const { kind, template } = message
    if (error !== thrown) log.error({ err: thrown, message: id, kind, template }, 'a message could not be tried')
    if (status === 'failed') log.warn({ message: id, kind, template, reason: error.message }, 'a message is dead')
    await storeResult(message, { status, error: error.message }, now)
    return { status, error }
  }
  await storeResult(message, { status: 'sent', error: null }, now)
  return { status: 'sent' as const, error: null }
}

const nameOf = (thrown: unknown) => (thrown instanceof Error ? thrown.name : 'unknown')
