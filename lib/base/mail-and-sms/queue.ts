import { randomUUID } from 'node:crypto'
import type { Transaction } from '@/db/client'
import { type MessageCounter, messages } from '@/db/schema/operations'
import type { Ctx, CtxDomain } from '../context/ctx'
import { enqueueEach } from '../jobs/jobs'
import { env } from '../runtime/env'
import { composeMail } from './compose-mail'
import { composeSms } from './compose-sms'
import { encryptContent, type StoredContent } from './content'
import type { Sender } from './letter'
import { letterText } from './plain-text'
import type { MailTemplate, MailValues, SmsTemplate, SmsValues } from './templates'
import { withoutJoiners } from './values'

type Message = {
  to: string
  userId: string | null
  /** The receiver's language. If the domain doesn't have it, the domain's first language is used. */
  locale: string | null
  /** The receiver's time zone; by default Moscow's. */
  timeZone?: string | undefined
  /** Returns the sender in a language. */
  sender: (locale: string) => Sender
  /** The message is dropped after this time. */
  expiresAt?: Date | undefined
  /** The daily counter to which the message was added; reduced again if the message is never sent. */
  counter?: MessageCounter | undefined
  /** The id of the message, if its cause may occur twice: a message that exists isn't queued again. */
  id?: string | undefined
  /** Whether the caller tries it first; then the job runs later, in case the caller doesn't. */
  triedFirst?: boolean | undefined
}
type Mail<T extends MailTemplate> = Message & { template: T; values: MailValues[T] }
type Sms<T extends SmsTemplate> = Message & { template: T; values: SmsValues[T] }

/**
 * The part of a context that messages need; the worker has no more. The language isn't part of it: it would be the
 * caller's (docs/rules/messages.md#language). `bulk`: one of many messages that nobody waits for, so its job gives way
 * to others.
 */
export type MessageCtx = Pick<Ctx, 'domain' | 'now'> & { bulk?: boolean }

/** Seconds after which a try to send a mail has ended: the sum of all timeouts of the SMTP client. */
const mailTrySeconds = 120

/** The most tries of a message. The waits grow, so the last try comes more than a day after the first. */
export const maxMessageTries = 14

/** Returns the language of a message: the receiver's if the domain has it, otherwise the domain's first one. */
export const languageFrom = ({ locales }: Pick<CtxDomain, 'locales'>, locale: string | null | undefined): string =>
  locale && locales.includes(locale) ? locale : (locales[0] ?? 'ru')

const localeOf = (ctx: MessageCtx, { locale }: Message) => languageFrom(ctx.domain, locale)

type MessageRow = Pick<Message, 'id' | 'to' | 'userId' | 'expiresAt' | 'counter'> & {
  locale: string
  kind: 'email' | 'sms'
  template: string
  content: StoredContent
}

/** Stores messages of one kind, and the job of each. Returns their ids. */
async function storeMessages(
  tx: Transaction,
  ctx: MessageCtx,
  rows: MessageRow[],
  options: { kind: MessageRow['kind']; triedFirst?: boolean | undefined },
): Promise<string[]> {
  const values = rows.map(({ id = randomUUID(), to, content, ...row }) => ({
    ...row,
    id,
    recipient: to,
    content: encryptContent(id, content),
    createdAt: ctx.now(),
  }))
  if (values.length === 0) return []
  const inserted = await tx
    .insert(messages)
    .values(values)
    .onConflictDoNothing({ target: messages.id })
    .returning({ id: messages.id })
  // by then the caller's try has ended, even if its process has died
  const trySeconds = options.kind === 'sms' ? env().SMS_TIMEOUT + 10 : mailTrySeconds
  const runAt = options.triedFirst ? new Date(Date.now() + trySeconds * 1000) : undefined
  await enqueueEach(tx, 'message', inserted, {
    jobKey: ({ id }) => `message:${id}`,
    maxAttempts: maxMessageTries,
    priority: ctx.bulk ? 'bulk' : 'urgent',
    ...(runAt ? { runAt } : {}),
  })
  return values.map(({ id }) => id)
}

async function mailRow<T extends MailTemplate>(ctx: MessageCtx, mail: Mail<T>): Promise<MessageRow> {
  const { id, template, values, to, userId, expiresAt, counter } = mail
  const sender = mail.sender(localeOf(ctx, mail))
  const letter = await composeMail(template, localeOf(ctx, mail), values, sender, mail.timeZone)
  const content = {
    subject: letter.subject,
    text: letterText(letter),
    html: '',
    project: withoutJoiners(letter.sender.project),
    host: new URL(sender.origin).hostname,
    unsubscribe: letter.unsubscribe,
    letter,
  }
  return { id, kind: 'email', template, to, userId, locale: letter.locale, expiresAt, counter, content }
}

/** Stores a mail and the job that sends it, in the transaction of its cause. Returns the id of the message. */
export async function queueMail<T extends MailTemplate>(tx: Transaction, ctx: MessageCtx, mail: Mail<T>) {
  const [id = ''] = await storeMessages(tx, ctx, [await mailRow(ctx, mail)], {
    kind: 'email',
    triedFirst: mail.triedFirst,
  })
  return id
}

/** Stores several mails as `queueMail` does each, in few statements. The caller tries none of them first. */
export async function queueMails<T extends MailTemplate>(tx: Transaction, ctx: MessageCtx, mails: readonly Mail<T>[]) {
  const rows: MessageRow[] = []
  for (const mail of mails) rows.push(await mailRow(ctx, mail))
  await storeMessages(tx, ctx, rows, { kind: 'email' })
}

/** Stores an SMS and its job in the same way; `to` is E.164. */
export async function queueSms<T extends SmsTemplate>(tx: Transaction, ctx: MessageCtx, sms: Sms<T>) {
  const { id, template, values, to, userId, expiresAt, counter, triedFirst } = sms
  const locale = localeOf(ctx, sms)
  const content = await composeSms(template, locale, values, sms.sender(locale), sms.timeZone)
  const row = { id, kind: 'sms' as const, template, to, userId, locale, expiresAt, counter, content }
  const [messageId = ''] = await storeMessages(tx, ctx, [row], { kind: 'sms', triedFirst })
  return messageId
}
