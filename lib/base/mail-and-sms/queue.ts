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
  /** The receiver's language; used if the domain has it, else the domain's first one. */
  locale: string | null
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
 * The part of a context that messages need; the worker has no more. The language isn't part of it: it would be that of
 * who acts (docs/rules/messages.md#language). `bulk`: it is one of many that nobody waits for, so it gives way to others.
 */
export type MessageCtx = Pick<Ctx, 'domain' | 'now'> & { bulk?: boolean }

/** Seconds after which a try to send a mail is over: all limits of the SMTP client together. */
const mailPatience = 120

/** The most tries of a message. Waits grow, so the last try comes more than a day after the first. */
export const maxMessageTries = 14

/** Returns the language of a message from this domain to somebody with this language: the domain's if it lacks theirs. */
export const languageFrom = ({ locales }: Pick<CtxDomain, 'locales'>, wished: string | null | undefined): string =>
  wished && locales.includes(wished) ? wished : (locales[0] ?? 'ru')

const localeOf = (ctx: MessageCtx, { locale }: Message) => languageFrom(ctx.domain, locale)

type Row = Pick<Message, 'id' | 'to' | 'userId' | 'expiresAt' | 'counter'> & {
  locale: string
  kind: 'email' | 'sms'
  template: string
  content: StoredContent
}

/** Stores messages of one kind, and the job of each. Returns their ids. */
async function store(
  tx: Transaction,
  ctx: MessageCtx,
  rows: Row[],
  how: { kind: Row['kind']; triedFirst?: boolean | undefined },
): Promise<string[]> {
  const values = rows.map(({ id = randomUUID(), to, content, ...row }) => ({
    ...row,
    id,
    recipient: to,
    content: encryptContent(id, content),
    createdAt: ctx.now(),
  }))
  if (values.length === 0) return []
  const stored = await tx
    .insert(messages)
    .values(values)
    .onConflictDoNothing({ target: messages.id })
    .returning({ id: messages.id })
  // by then the first try is over, even if it outlived its process
  const patience = how.kind === 'sms' ? env().SMS_TIMEOUT + 10 : mailPatience
  const runAt = how.triedFirst ? new Date(Date.now() + patience * 1000) : undefined
  await enqueueEach(
    tx,
    'message',
    stored.map(({ id }) => id),
    {
      jobKey: (id) => `message:${id}`,
      maxAttempts: maxMessageTries,
      priority: ctx.bulk ? 'bulk' : 'urgent',
      ...(runAt ? { runAt } : {}),
    },
  )
  return values.map(({ id }) => id)
}

async function mailRow<T extends MailTemplate>(ctx: MessageCtx, mail: Mail<T>): Promise<Row> {
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
  const [id = ''] = await store(tx, ctx, [await mailRow(ctx, mail)], { kind: 'email', triedFirst: mail.triedFirst })
  return id
}

/** Stores several mails as `queueMail` does each, in few statements; none of them is tried first by the caller. */
export async function queueMails<T extends MailTemplate>(tx: Transaction, ctx: MessageCtx, mails: readonly Mail<T>[]) {
  const rows: Row[] = []
  for (const mail of mails) rows.push(await mailRow(ctx, mail))
  await store(tx, ctx, rows, { kind: 'email' })
}

/** Stores an SMS and its job in the same way; `to` is E.164. */
export async function queueSms<T extends SmsTemplate>(tx: Transaction, ctx: MessageCtx, sms: Sms<T>) {
  const { id, template, values, to, userId, expiresAt, counter, triedFirst } = sms
  const locale = localeOf(ctx, sms)
  const content = await composeSms(template, locale, values, sms.sender(locale), sms.timeZone)
  const row = { id, kind: 'sms' as const, template, to, userId, locale, expiresAt, counter, content }
  const [stored = ''] = await store(tx, ctx, [row], { kind: 'sms', triedFirst })
  return stored
}
