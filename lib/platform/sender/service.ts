import type { Transaction } from '@/db/client'
import { type MessageCtx, queueMail, queueSms } from '@/lib/kernel/messages/queue'
import type { MailTemplate, MailValues, SmsTemplate, SmsValues } from '@/lib/kernel/messages/templates'
import { projectInfo } from '@/lib/platform/project-info/service'

type Message = {
  /** An e-mail address, or a mobile as E.164. */
  to: string
  /** Whose message it is; null for somebody without an account. */
  userId: string | null
  /** The receiver's language; the context's unless told, or where the domain doesn't speak it. */
  locale?: string | null
  /** After this it isn't worth sending any more. */
  expiresAt?: Date
}

async function fromDomain(ctx: MessageCtx, { locale, ...message }: Message) {
  const { options } = await projectInfo(ctx.domain)
  return { ...message, locale: locale ?? ctx.locale, project: (of: string) => options[of]?.projectName ?? '' }
}

/** Writes a mail in the name and look of the context's domain into the transaction of its cause. */
export async function sendMail<T extends MailTemplate>(
  tx: Transaction,
  ctx: MessageCtx,
  { template, values, ...message }: Message & { template: T; values: MailValues[T] },
) {
  await queueMail(tx, ctx, { ...(await fromDomain(ctx, message)), template, values })
}

/** The same for an SMS. */
export async function sendSms<T extends SmsTemplate>(
  tx: Transaction,
  ctx: MessageCtx,
  { template, values, ...message }: Message & { template: T; values: SmsValues[T] },
) {
  await queueSms(tx, ctx, { ...(await fromDomain(ctx, message)), template, values })
}
