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
  /** The receiver's language, if the domain speaks it. */
  locale: string
  /** Who writes, in a language. */
  sender: (locale: string) => Sender
  /** After this it isn't worth sending any more. */
  expiresAt?: Date | undefined
  /** Where it was counted; given back if it never leaves. */
  counter?: MessageCounter | undefined
  /** The caller tries it first; the job is for when that never happens. */
  triedFirst?: boolean | undefined
}
type Mail<T extends MailTemplate> = Message & { template: T; values: MailValues[T] }
type Sms<T extends SmsTemplate> = Message & { template: T; values: SmsValues[T] }

/** The part of a context that messages need; the worker has no more. */
export type MessageCtx = Pick<Ctx, 'domain' | 'locale' | 'now'>

/** With growing waits the last try comes more than a day after the first. */
export const maxTries = 14

const localeOf = (ctx: MessageCtx, { locale }: Message) => (ctx.domain.locales.includes(locale) ? locale : ctx.locale)

type Row = Pick<Message, 'to' | 'userId' | 'locale' | 'expiresAt' | 'counter' | 'triedFirst'> & {
  kind: 'email' | 'sms'
  template: string
  content: StoredContent
}

async function store(tx: Transaction, ctx: MessageCtx, { to, content, triedFirst, ...row }: Row): Promise<string> {
  const id = randomUUID()
  await tx
    .insert(messages)
    .values({ ...row, id, recipient: to, content: sealContent(id, content), createdAt: ctx.now() })
  // by then a try that its process outlived is over
  const runAt = triedFirst ? new Date(Date.now() + (env().SMS_TIMEOUT + 10) * 1000) : undefined
  await enqueue(tx, 'message', { id }, { jobKey: `message:${id}`, maxAttempts: maxTries, ...(runAt ? { runAt } : {}) })
  return id
}

/** Writes a mail and the job that sends it into the transaction of its cause. Gives its id. */
export async function queueMail<T extends MailTemplate>(tx: Transaction, ctx: MessageCtx, mail: Mail<T>) {
  const { template, values, to, userId, expiresAt, counter } = mail
  const sender = mail.sender(localeOf(ctx, mail))
  const letter = await composeMail(template, localeOf(ctx, mail), values, sender)
  const content = {
    subject: letter.subject,
    text: letterText(letter),
    html: '',
    project: letter.sender.project,
    host: new URL(sender.origin).hostname,
    unsubscribe: letter.unsubscribe,
    letter,
  }
  return store(tx, ctx, { kind: 'email', template, to, userId, locale: letter.locale, expiresAt, counter, content })
}

/** The same for an SMS; `to` is E.164. */
export async function queueSms<T extends SmsTemplate>(tx: Transaction, ctx: MessageCtx, sms: Sms<T>) {
  const { template, values, to, userId, expiresAt, counter, triedFirst } = sms
  const locale = localeOf(ctx, sms)
  const content = await composeSms(template, locale, values, sms.sender(locale))
  return store(tx, ctx, { kind: 'sms', template, to, userId, locale, expiresAt, counter, triedFirst, content })
}
