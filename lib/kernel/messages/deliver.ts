import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { messages } from '@/db/schema/operations'
import { type Hand, type MessageStatus, tryMessage } from './attempt'
import { sealContent } from './content'
import { handSms } from './deliver-sms'

export { messageContent } from './content'

const handMail: Hand = async ({ id, recipient }, content) => {
  if (!('subject' in content)) throw new TypeError('a mail without a subject')
  let mail = content
  if (content.letter) {
    // loaded at the first mail: what draws them is large, and only the worker needs it
    const { letterHtml } = await import('./letter-html')
    const { letter, ...rest } = content
    mail = { ...rest, html: await letterHtml(letter) }
    // drawn once: a repeat under the same Message-ID says the same
    await db()
      .update(messages)
      .set({ content: sealContent(id, mail) })
      .where(eq(messages.id, id))
  }
  const { sendMail } = await import('./smtp')
  await sendMail({ ...mail, id, to: recipient })
}

/**
 * Sends one queued message; the job runs it. Gives what became of it, nothing when it was done already. Throws
 * DeliveryError when it should be tried again.
 */
export async function deliverMessage(
  id: string,
  { lastTry, now = new Date() }: { lastTry: boolean; now?: Date },
): Promise<MessageStatus | undefined> {
  const hand: Hand = (message, content) => (message.kind === 'sms' ? handSms : handMail)(message, content)
  const tried = await tryMessage(id, hand, { lastTry, now })
  if (tried?.status === 'queued') throw tried.error
  return tried?.status
}
