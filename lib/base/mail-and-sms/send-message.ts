import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { messages } from '@/db/schema/operations'
import { inSpan } from '../runtime/tracing'
import { type MessageStatus, type SendMessage, tryMessage } from './attempt'
import { encryptContent } from './content'
import { sendQueuedSms } from './send-sms'

export { messageContent } from './content'

const deliverMail: SendMessage = async ({ id, recipient }, content) => {
  if (!('subject' in content)) throw new TypeError('a mail without a subject')
  let mail = content
  if (content.letter) {
    // loaded with the first mail: the renderer is large, and only the worker needs it
    const { letterHtml } = await import('./letter-html')
    const { letter, ...renderedContent } = content
    mail = { ...renderedContent, html: await letterHtml(letter) }
    // rendered once: a repeated mail with the same Message-ID has the same content
    await db()
      .update(messages)
      .set({ content: encryptContent(id, mail) })
      .where(eq(messages.id, id))
  }
  const { sendOverSmtp } = await import('./smtp')
  await sendOverSmtp({ ...mail, id, to: recipient })
}

const deliver: SendMessage = (message, content) => {
  const { id, kind } = message
  const send = kind === 'sms' ? sendQueuedSms : deliverMail
  return inSpan(`send ${kind}`, { kind: 'client', attributes: { 'platform.message': id } }, () =>
    send(message, content),
  )
}

/**
 * Sends one queued message, in its job. Returns its new status, or undefined if it isn't queued any more. Throws
 * SendError if it should be tried again.
 */
export async function sendQueuedMessage(
  id: string,
  { lastTry, now = new Date() }: { lastTry: boolean; now?: Date },
): Promise<MessageStatus | undefined> {
  const result = await tryMessage(id, deliver, { lastTry, now })
  if (result?.status === 'queued') throw result.error
  return result?.status
}

/**
 * Sends a queued message in the request that caused it, without a second try. Returns null if it was sent, otherwise
 * the reason as a text without secrets.
 */
export async function sendMessageNow(id: string, now: Date): Promise<string | null> {
  const result = await tryMessage(id, deliver, { lastTry: true, now })
  return result?.error?.message ?? null
}
