import type { Transaction } from '@/db/client'
import type { MessageCounter } from '@/db/schema/operations'
import type { CtxDomain } from '@/lib/base/context/ctx'
import { platformHolders } from '@/lib/base/effective-rights/service'
import { composeItem } from '@/lib/base/mail-and-sms/compose-mail'
import type { Sender } from '@/lib/base/mail-and-sms/letter'
import { languageFrom, type MessageCtx, queueMail, queueMails, queueSms } from '@/lib/base/mail-and-sms/queue'
import type { MailTemplate, MailValues, SmsTemplate, SmsValues } from '@/lib/base/mail-and-sms/templates'
import { env } from '@/lib/base/runtime/env'
import { timeZoneFrom } from '@/lib/base/text/time-zone'
import { domainByHost } from '@/lib/site/domains/service'
import { styleLook } from '@/lib/site/domains/style-templates'
import { projectInfo } from '@/lib/site/project-info/service'
import { type Receiver, selectReceivers } from './queries'

type Message = {
  /** An e-mail address, or a mobile as E.164. */
  to: string
  /** The receiver's account; null for somebody without one. */
  userId: string | null
  /**
   * The receiver's language where their account can't say it: that of the page on which somebody without an account asks
   * for a message to themselves, or one that was read with the account. Never that of who acts.
   */
  locale?: string | null
  /** After this the message isn't sent any more. */
  expiresAt?: Date
  /** Its id, if the cause may come twice: a message that exists isn't queued again. */
  id?: string
  /** The counter that counted it; it is decremented if the message is never sent. */
  counter?: MessageCounter
}

/**
 * The sender of a domain's messages, by language: its name, its look, and its first e-mail contact, else its first one.
 */
export async function senderOf(domain: CtxDomain): Promise<(locale: string) => Sender> {
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
      domainId: domain.id,
    }
  }
}

/**
 * Returns those of these people who have a role with a method of the platform, unless the origin is the platform's own. What leads them back leads to that address: another host name may be anybody's, and a link may let its reader
 * in (docs/rules/domains.md#links-to-administrators).
 */
export async function ledHome(
  tx: Transaction,
  origin: string,
  userIds: readonly (string | null)[],
): Promise<{ home: CtxDomain | null; led: ReadonlySet<string> }> {
  const own = new URL(env().PUBLIC_URL)
  const people = userIds.filter((id) => id !== null)
  const led = origin === own.origin || people.length === 0 ? new Set<string>() : await platformHolders(tx, people)
  return { home: led.size > 0 ? await domainByHost(own.host) : null, led }
}

/** Returns a value with all addresses that begin with one origin beginning with another one. */
function moved<V>(value: V, from: string, to: string): V {
  if (typeof value === 'string')
    return (value === from || value.startsWith(`${from}/`) ? `${to}${value.slice(from.length)}` : value) as V
  if (Array.isArray(value)) return value.map((each) => moved(each, from, to)) as V
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, moved(each, from, to)])) as V
}

/** What the account saved wins over what the caller knows; without either, the message has the domain's language. */
const receivedBy = (domain: CtxDomain, saved: Receiver | undefined, locale: string | null | undefined) => ({
  locale: saved?.lang ?? locale ?? null,
  timeZone: timeZoneFrom(saved?.timeZone ?? null) ?? domain.timeZone,
})

/** Returns the language that an account saved, for a mail that is sent when it is gone. */
export const savedLanguage = async (tx: Transaction, userId: string): Promise<string | null> =>
  (await selectReceivers(tx, [userId])).get(userId)?.lang ?? null

async function fromDomain(tx: Transaction, ctx: MessageCtx, { locale, ...message }: Message) {
  const { userId } = message
  const saved = userId ? (await selectReceivers(tx, [userId])).get(userId) : undefined
  return { ...message, ...receivedBy(ctx.domain, saved, locale), sender: await senderOf(ctx.domain) }
}

/**
 * Queues a mail in the name and look of the context's domain, in the transaction of its cause. Returns its id. With
 * `triedFirst` the caller sends it itself after the commit.
 */
export async function sendMail<T extends MailTemplate>(
  tx: Transaction,
  ctx: MessageCtx,
  { template, values, triedFirst, ...message }: Message & { template: T; values: MailValues[T]; triedFirst?: boolean },
): Promise<string> {
  const { home } = 'link' in values ? await ledHome(tx, ctx.domain.origin, [message.userId]) : { home: null }
  const from = home ? { ...ctx, domain: home } : ctx
  const led = moved(values, ctx.domain.origin, from.domain.origin)
  return queueMail(tx, from, { ...(await fromDomain(tx, from, message)), template, values: led, triedFirst })
}

/** Queues mails as `sendMail` does each, in few statements. */
export async function sendMails<T extends MailTemplate>(
  tx: Transaction,
  ctx: MessageCtx,
  mails: readonly (Omit<Message, 'id' | 'counter'> & { template: T; values: MailValues[T] })[],
): Promise<void> {
  const { home, led } = await ledHome(
    tx,
    ctx.domain.origin,
    mails.map(({ userId }) => userId),
  )
  const receivers = await selectReceivers(
    tx,
    mails.flatMap(({ userId }) => (userId ? [userId] : [])),
  )
  for (const domain of home ? [ctx.domain, home] : [ctx.domain]) {
    const sender = await senderOf(domain)
    const own = mails.filter(({ userId }) => (userId !== null && led.has(userId)) === (domain === home))
    await queueMails(
      tx,
      { ...ctx, domain },
      own.map((mail) => ({
        ...mail,
        values: moved(mail.values, ctx.domain.origin, domain.origin),
        ...receivedBy(domain, receivers.get(mail.userId ?? ''), mail.locale),
        sender,
      })),
    )
  }
}

/** Returns a mail as an item of a digest, in the receiver's language. */
export async function itemOf<T extends MailTemplate>(
  ctx: MessageCtx,
  { template, values, locale }: Pick<Message, 'locale'> & { template: T; values: MailValues[T] },
) {
  const language = languageFrom(ctx.domain, locale)
  const senderIn = await senderOf(ctx.domain)
  return composeItem(template, language, values, senderIn(language))
}

/** The same for an SMS. With `triedFirst` the caller sends it itself after the commit. */
export async function sendSms<T extends SmsTemplate>(
  tx: Transaction,
  ctx: MessageCtx,
  { template, values, triedFirst, ...message }: Message & { template: T; values: SmsValues[T]; triedFirst?: boolean },
): Promise<string> {
  return queueSms(tx, ctx, { ...(await fromDomain(tx, ctx, message)), template, values, triedFirst })
}
