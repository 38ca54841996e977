import { z } from 'zod'
import { decrypt, encrypt } from '../crypto/encryption'
import type { Letter } from './letter'

export type MailContent = { subject: string; text: string; html: string }
export type SmsContent = { text: string }

type StoredMail = { project: string; host: string; unsubscribe: string; letter?: Letter | undefined }

/**
 * The stored content of a message. A mail is queued with its unrendered letter; its first try stores the rendered mail.
 */
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

/** Returns the decrypted content of a message; an empty text if housekeeping has deleted the content. */
export const decryptContent = ({ id, content }: { id: string; content: string }): StoredContent =>
  content === '' ? { text: '' } : StoredMessage.parse(JSON.parse(decrypt('messages', content, id)))

/** Returns the readable content of a message: an SMS is only a text. A mail that was never tried has no `html` yet. */
export function messageContent(row: { id: string; content: string }): MailContent | SmsContent {
  const content = decryptContent(row)
  if (!('subject' in content)) return content
  const { subject, text, html } = content
  return { subject, text, html }
}
