import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { db } from '@/db/client'
import { messages } from '@/db/schema/operations'
import { unseal } from '../crypto/secrets'
import { mailTransport } from './transports'

const Content = z.object({ subject: z.string(), text: z.string(), html: z.string() })

/** Opens what a message says. */
export const messageContent = ({ id, content }: { id: string; content: string }) =>
  Content.parse(JSON.parse(unseal('messages', content, id)))

/**
 * Sends one queued message; the job runs it. An expired one is dropped. Throws when the transport failed,
 * so that the job comes again; on the last try the message is marked as failed.
 */
export async function deliverMessage(id: string, { lastTry, now = new Date() }: { lastTry: boolean; now?: Date }) {
  const [message] = await db().select().from(messages).where(eq(messages.id, id))
  if (!message || message.status !== 'queued') return
  const outcome = (values: Partial<typeof messages.$inferInsert>) =>
    db()
      .update(messages)
      .set({ ...values, attempts: sql`${messages.attempts} + 1` })
      .where(eq(messages.id, id))
  if (message.expiresAt && message.expiresAt <= now) {
    await outcome({ status: 'dropped', finishedAt: now })
    return
  }
  try {
    await mailTransport().send({ id, to: message.recipient, ...messageContent(message) })
  } catch (error) {
    await outcome({ error: error instanceof Error ? error.message.slice(0, 500) : 'unknown', ...(lastTry ? { status: 'failed', finishedAt: now } : {}) })
    throw error
  }
  await outcome({ status: 'sent', finishedAt: now, error: null })
}
