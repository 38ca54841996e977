import { z } from 'zod'
import { decrypt, encrypt } from '../crypto/encryption'
import type { Letter } from './letter'

export type MailContent = { subject: string; text: string; html: string }
export type SmsContent = { text: string }

type StoredMail = { project: string; host: string; unsubscribe: string; letter?: Letter | undefined }

/** A mail is queued as the letter that it is rendered from; from its first try on the rendered mail is stored. */
export type StoredContent = SmsContent | (MailContent & StoredMail)

/** The stored form of a message. */
export const StoredMessage = z.union([
  z.object({
    subject: z.string(),
    text: z.string(),
    html: z.string(),
    project: z.string().default(''),
    host: z.string().default(''),
    unsubscribe: z.string().default(''),
    letter: z.custom<Letter>((value) => typeof value === 'object' && value !== null).optional(),
  }),
  z.object({ text: z.string() }),
])

export const encryptContent = (id: string, content: StoredContent) => encrypt('messages', JSON.stringify(content), id)

/** Returns a message's content as it is stored; an empty text if the content has been deleted by age. */
export const decryptContent = ({ id, content }: { id: string; content: string }): StoredContent =>
  content === '' ? { text: '' } : StoredMessage.parse(JSON.parse(decrypt('messages', content, id)))

/** Returns what a message says: an SMS is text only. A mail that was never tried has no `html` yet. */
export function messageContent(row: { id: string; content: string }): MailContent | SmsContent {
  const content = decryptContent(row)
  if (!('subject' in content)) return content
  const { subject, text, html } = content
  return { subject, text, html }
}
