import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { db } from '@/db/client'
import { messages } from '@/db/schema/operations'
import { unseal } from '../crypto/secrets'
import { sendMail, sendSms } from './transports'

const Content = z.union([
  z.object({ subject: z.string(), text: z.string(), html: z.string() }),
  z.object({ text: z.string() }),
])

/** Opens what a message says: an SMS is text alone. */
export const messageContent = ({ id, content }: { id: string; content: string }) =>
  Content.parse(JSON.parse(unseal('messages', content, id)))

/**
 * Sends one queued message; the job runs it. An expired one is dropped. Throws when the transport failed,
 * so that the job comes again; on the last try the message is marked as failed.
 */
export async function deliverMessage(id: string, { lastTry, now = new Date() }: { lastTry: boolean; now?: Date }) {
  const [message] = await db().select().from(messages).where(eq(messages.id, id))
  if (message?.status !== 'queued') return
  const outcome = (values: Partial<typeof messages.$inferInsert>) =>
    db()
      .update(messages)
      .set({ ...values, attempts: sql`${messages.attempts} + 1` })
      .where(eq(messages.id, id))
  if (message.expiresAt && message.expiresAt <= now) {
    await outcome({ status: 'dropped', finishedAt: now })
    return
  }
  const content = messageContent(message)
  try {
    if ('html' in content) await sendMail({ id, to: message.recipient, ...content })
    else await sendSms({ id, to: message.recipient, ...content })
  } catch (error) {
    const said = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
    await outcome({ error: said, ...(lastTry ? { status: 'failed', finishedAt: now } : {}) })
    throw error
  }
  await outcome({ status: 'sent', finishedAt: now, error: null })
}
