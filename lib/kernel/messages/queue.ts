import { randomUUID } from 'node:crypto'
import type { Transaction } from '@/db/client'
import { messages } from '@/db/schema/operations'
import { seal } from '../crypto/secrets'
import type { Ctx } from '../ctx'
import { enqueue } from '../jobs'
import {
  type MailTemplate,
  type MailValues,
  renderMail,
  renderSms,
  type SmsTemplate,
  type SmsValues,
} from './templates'

type Message = {
  to: string
  userId: string | null
  /** The receiver's language, if the domain speaks it. */
  locale: string
  /** The domain's project name by locale. */
  project: (locale: string) => string
  /** After this it isn't worth sending any more. */
  expiresAt?: Date
}
type Mail<T extends MailTemplate> = Message & { template: T; values: MailValues[T] }
type Sms<T extends SmsTemplate> = Message & { template: T; values: SmsValues[T] }

/** The part of a context that messages need; the worker has no more. */
export type MessageCtx = Pick<Ctx, 'domain' | 'locale' | 'now'>

const senderOf = (ctx: MessageCtx, { locale: wished, project }: Message) => {
  const locale = ctx.domain.locales.includes(wished) ? wished : ctx.locale
  return { locale, sender: { project: project(locale), origin: ctx.domain.origin } }
}

async function store(
  tx: Transaction,
  ctx: MessageCtx,
  kind: 'email' | 'sms',
  {
    template,
    to,
    userId,
    locale,
    expiresAt,
    content,
  }: Omit<Message, 'project'> & { template: string; content: object },
) {
  const id = randomUUID()
  await tx.insert(messages).values({
    id,
    kind,
    template,
    recipient: to,
    userId,
    locale,
    content: seal('messages', JSON.stringify(content), id),
    expiresAt,
    createdAt: ctx.now(),
  })
  await enqueue(tx, 'message', { id }, { jobKey: `message:${id}`, maxAttempts: 12 })
}

/** Writes a mail and the job that sends it into the transaction of its cause. */
export async function queueMail<T extends MailTemplate>(tx: Transaction, ctx: MessageCtx, mail: Mail<T>) {
  const { locale, sender } = senderOf(ctx, mail)
  const content = await renderMail(mail.template, locale, mail.values, sender)
  await store(tx, ctx, 'email', { ...mail, locale, content })
}

/** The same for an SMS; `to` is E.164. */
export async function queueSms<T extends SmsTemplate>(tx: Transaction, ctx: MessageCtx, sms: Sms<T>) {
  const { locale, sender } = senderOf(ctx, sms)
  const content = await renderSms(sms.template, locale, sms.values, sender)
  await store(tx, ctx, 'sms', { ...sms, locale, content })
}
