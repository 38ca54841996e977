import { randomUUID } from 'node:crypto'
import type { Transaction } from '@/db/client'
import { messages } from '@/db/schema/operations'
import { seal } from '../crypto/secrets'
import type { Ctx } from '../ctx'
import { enqueue } from '../jobs'
import { type MailTemplate, type MailValues, renderMail } from './templates'

type Mail<T extends MailTemplate> = {
  template: T
  to: string
  userId: string | null
  locale: string
  values: MailValues[T]
  /** Who writes: the domain's project name in that locale. */
  project: string
  /** After this it isn't worth sending any more. */
  expiresAt?: Date
}

/** Writes a mail and the job that sends it into the transaction of its cause. */
export async function queueMail<T extends MailTemplate>(tx: Transaction, ctx: Ctx, mail: Mail<T>) {
  const locale = ctx.domain.locales.includes(mail.locale) ? mail.locale : ctx.locale
  const content = await renderMail(mail.template, locale, mail.values, { project: mail.project, origin: ctx.domain.origin })
  const id = randomUUID()
  await tx.insert(messages).values({
    id,
    kind: 'email',
    template: mail.template,
    recipient: mail.to,
    userId: mail.userId,
    locale,
    content: seal('messages', JSON.stringify(content), id),
    expiresAt: mail.expiresAt,
    createdAt: ctx.now(),
  })
  await enqueue(tx, 'message', { id }, { jobKey: `message:${id}`, maxAttempts: 12 })
}
