import { z } from 'zod'
import { seal, unseal } from '../crypto/secrets'
import type { Letter } from './letter'

export type MailContent = { subject: string; text: string; html: string }
export type SmsContent = { text: string }

type StoredMail = { project: string; host: string; unsubscribe: string; letter?: Letter | undefined }

/** A mail waits as the letter it is drawn from; from its first try on it is kept as it was drawn. */
export type StoredContent = SmsContent | (MailContent & StoredMail)

/** What is stored of a message. */
export const Stored = z.union([
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

export const sealContent = (id: string, content: StoredContent) => seal('messages', JSON.stringify(content), id)

/** Opens a message's content as it is stored; one that is too old to be kept says nothing. */
export const openContent = ({ id, content }: { id: string; content: string }): StoredContent =>
  content === '' ? { text: '' } : Stored.parse(JSON.parse(unseal('messages', content, id)))

/** What a message says: an SMS is text alone. A mail that was never tried has no `html` yet. */
export function messageContent(row: { id: string; content: string }): MailContent | SmsContent {
  const content = openContent(row)
  if (!('subject' in content)) return content
  const { subject, text, html } = content
  return { subject, text, html }
}
