import { randomUUID } from 'node:crypto'
import type { Transaction } from '@/db/client'
import { type MessageCounter, messages } from '@/db/schema/operations'
import type { Ctx } from '../ctx'
import { env } from '../env'
import { enqueue } from '../jobs'
import { composeMail } from './compose-mail'
import { composeSms } from './compose-sms'
import { type StoredContent, sealContent } from './content'
import type { Sender } from './letter'
import { letterText } from './plain-text'
import type { MailTemplate, MailValues, SmsTemplate, SmsValues } from './templates'

type Message = {
  to: string
  userId: string | null
  /** The receiver's language; used if the domain has it. */
  locale: string
  /** The receiver's time zone; by default Moscow's. */
  timeZone?: string | undefined
  /** The sender, in a language. */
  sender: (locale: string) => Sender
  /** The message is dropped after this time. */
  expiresAt?: Date | undefined
  /** The counter that it was added to; reduced again if the message is never sent. */
  counter?: MessageCounter | undefined
  /** Its id, if the cause may come twice: a message that exists isn't queued again. */
  id?: string | undefined
  /** The caller tries it first; the job runs later, in case that never happens. */
  triedFirst?: boolean | undefined
}
type Mail<T extends MailTemplate> = Message & { template: T; values: MailValues[T] }
type Sms<T extends SmsTemplate> = Message & { template: T; values: SmsValues[T] }

/**
 * The part of a context that messages need; the worker has no more. `bulk`: it is one of many that nobody waits for, so
 * it gives way to others.
 */
export type MessageCtx = Pick<Ctx, 'domain' | 'locale' | 'now'> & { bulk?: boolean }

/** Seconds after which a try to send a mail is over: all limits of the SMTP client together. */
const mailPatience = 120

/** The most tries of a message. Waits grow, so the last try comes more than a day after the first. */
export const maxMessageTries = 14

const localeOf = (ctx: MessageCtx, { locale }: Message) => (ctx.domain.locales.includes(locale) ? locale : ctx.locale)

type Row = Pick<Message, 'id' | 'to' | 'userId' | 'locale' | 'expiresAt' | 'counter' | 'triedFirst'> & {
  kind: 'email' | 'sms'
  template: string
  content: StoredContent
}

async function store(
  tx: Transaction,
  ctx: MessageCtx,
  { id = randomUUID(), to, content, triedFirst, ...row }: Row,
): Promise<string> {
  const stored = await tx
    .insert(messages)
    .values({ ...row, id, recipient: to, content: sealContent(id, content), createdAt: ctx.now() })
    .onConflictDoNothing({ target: messages.id })
    .returning({ id: messages.id })
  if (stored.length === 0) return id
  // by then the first try is over, even if it outlived its process
  const patience = row.kind === 'sms' ? env().SMS_TIMEOUT + 10 : mailPatience
  const runAt = triedFirst ? new Date(Date.now() + patience * 1000) : undefined
  await enqueue(
    tx,
    'message',
    { id },
    {
      jobKey: `message:${id}`,
      maxAttempts: maxMessageTries,
      priority: ctx.bulk ? 'bulk' : 'urgent',
      ...(runAt ? { runAt } : {}),
    },
  )
  return id
}

/** Stores a mail and the job that sends it, in the transaction of its cause. Returns the id of the message. */
export async function queueMail<T extends MailTemplate>(tx: Transaction, ctx: MessageCtx, mail: Mail<T>) {
  const { template, values, to, userId, expiresAt, counter, triedFirst } = mail
  const sender = mail.sender(localeOf(ctx, mail))
  const letter = await composeMail(template, localeOf(ctx, mail), values, sender, mail.timeZone)
  const content = {
    subject: letter.subject,
    text: letterText(letter),
    html: '',
    project: letter.sender.project,
    host: new URL(sender.origin).hostname,
    unsubscribe: letter.unsubscribe,
    letter,
  }
  const row = { template, to, userId, locale: letter.locale, expiresAt, counter, triedFirst, content }
  return store(tx, ctx, { kind: 'email', ...row })
}

/** Stores an SMS and its job in the same way; `to` is E.164. */
export async function queueSms<T extends SmsTemplate>(tx: Transaction, ctx: MessageCtx, sms: Sms<T>) {
  const { id, template, values, to, userId, expiresAt, counter, triedFirst } = sms
  const locale = localeOf(ctx, sms)
  const content = await composeSms(template, locale, values, sms.sender(locale), sms.timeZone)
  return store(tx, ctx, { id, kind: 'sms', template, to, userId, locale, expiresAt, counter, triedFirst, content })
}
