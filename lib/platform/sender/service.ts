import type { Transaction } from '@/db/client'
import type { MessageCounter } from '@/db/schema/operations'
import type { CtxDomain } from '@/lib/kernel/ctx'
import type { Sender } from '@/lib/kernel/messages/letter'
import { type MessageCtx, queueMail, queueSms } from '@/lib/kernel/messages/queue'
import type { MailTemplate, MailValues, SmsTemplate, SmsValues } from '@/lib/kernel/messages/templates'
import { styleLook } from '@/lib/platform/domains/style-templates'
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
  /** Where it was counted; given back if it never leaves. */
  counter?: MessageCounter
}

/** Who writes for a domain, by language: its name, its look, and the first of its contacts that can be written to. */
async function senderOf(domain: CtxDomain): Promise<(locale: string) => Sender> {
  const { options } = await projectInfo(domain)
  const look = styleLook(domain.styleTemplate)
  return (locale) => {
    const { projectName = '', technicalLink = [] } = options[locale] ?? {}
    const contact = technicalLink.find(({ url }) => /^mailto:/i.test(url)) ?? technicalLink[0]
    const link = contact && (contact.url.startsWith('/') ? `${domain.origin}${contact.url}` : contact.url)
    return {
      project: projectName,
      origin: domain.origin,
      look,
      support: contact && link ? { text: contact.text || contact.title || link, link } : null,
    }
  }
}

async function fromDomain(ctx: MessageCtx, { locale, ...message }: Message) {
  return { ...message, locale: locale ?? ctx.locale, sender: await senderOf(ctx.domain) }
}

/** Writes a mail in the name and look of the context's domain into the transaction of its cause. Gives its id. */
export async function sendMail<T extends MailTemplate>(
  tx: Transaction,
  ctx: MessageCtx,
  { template, values, ...message }: Message & { template: T; values: MailValues[T] },
): Promise<string> {
  return queueMail(tx, ctx, { ...(await fromDomain(ctx, message)), template, values })
}

/** The same for an SMS. With `triedFirst` the caller sends it itself once the transaction is committed. */
export async function sendSms<T extends SmsTemplate>(
  tx: Transaction,
  ctx: MessageCtx,
  { template, values, triedFirst, ...message }: Message & { template: T; values: SmsValues[T]; triedFirst?: boolean },
): Promise<string> {
  return queueSms(tx, ctx, { ...(await fromDomain(ctx, message)), template, values, triedFirst })
}
