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
  /** The receiver's account; null for a person without one. */
  userId: string | null
  /**
   * The receiver's language if their account has none: the language of the page on which a person without an account
   * requests a message to themselves, or one that was read with the account. Never the caller's language.
   */
  locale?: string | null
  /** After this the message isn't sent any more. */
  expiresAt?: Date
  /** Its id, if the cause may occur twice: a message that exists isn't queued again. */
  id?: string
  /** The counter that counted it; it is decremented if the message is never sent. */
  counter?: MessageCounter
}

/**
 * Returns the sender of a domain's messages by language: name, look, and as support the first e-mail contact, else the
 * first contact.
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
 * Returns the people among these who hold a method of the platform (`platformPeople`), and the domain of the platform's
 * own address for their links (`home`); none if the origin is already that address. Their links lead to that address,
 * because another host name may belong to anybody, and a link may sign its reader in
 * (docs/rules/domains.md#links-to-administrators).
 */
export async function platformHome(
  tx: Transaction,
  origin: string,
  userIds: readonly (string | null)[],
): Promise<{ home: CtxDomain | null; platformPeople: ReadonlySet<string> }> {
  const platformUrl = new URL(env().PUBLIC_URL)
  const people = userIds.filter((id) => id !== null)
  const platformPeople =
    origin === platformUrl.origin || people.length === 0 ? new Set<string>() : await platformHolders(tx, people)
  return { home: platformPeople.size > 0 ? await domainByHost(platformUrl.host) : null, platformPeople }
}

/** Returns a value in which all addresses of the origin `from` have the origin `to`. */
function withOrigin<V>(value: V, from: string, to: string): V {
  if (typeof value === 'string')
    return (value === from || value.startsWith(`${from}/`) ? `${to}${value.slice(from.length)}` : value) as V
  if (Array.isArray(value)) return value.map((item) => withOrigin(item, from, to)) as V
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withOrigin(item, from, to)])) as V
}

/**
 * Returns the language and time zone of a message: those that the account saved, else the given language, else the
 * domain's.
 */
const receiverFields = (domain: CtxDomain, saved: Receiver | undefined, locale: string | null | undefined) => ({
  locale: saved?.lang ?? locale ?? null,
  timeZone: timeZoneFrom(saved?.timeZone ?? null) ?? domain.timeZone,
})

/** Returns the language that an account saved, for a mail that is sent after the account is deleted. */
export const savedLanguage = async (tx: Transaction, userId: string): Promise<string | null> =>
  (await selectReceivers(tx, [userId])).get(userId)?.lang ?? null

async function withSender(tx: Transaction, ctx: MessageCtx, { locale, ...message }: Message) {
  const { userId } = message
  const saved = userId ? (await selectReceivers(tx, [userId])).get(userId) : undefined
  return { ...message, ...receiverFields(ctx.domain, saved, locale), sender: await senderOf(ctx.domain) }
}

/**
 * Queues a mail with the name and look of the context's domain, in the transaction of its cause. Returns its id. With
 * `triedFirst` the calling function sends it itself after the commit.
 */
export async function sendMail<T extends MailTemplate>(
  tx: Transaction,
  ctx: MessageCtx,
  { template, values, triedFirst, ...message }: Message & { template: T; values: MailValues[T]; triedFirst?: boolean },
): Promise<string> {
  const { home } = 'link' in values ? await platformHome(tx, ctx.domain.origin, [message.userId]) : { home: null }
  const senderCtx = home ? { ...ctx, domain: home } : ctx
  const homeValues = withOrigin(values, ctx.domain.origin, senderCtx.domain.origin)
  return queueMail(tx, senderCtx, {
    ...(await withSender(tx, senderCtx, message)),
    template,
    values: homeValues,
    triedFirst,
  })
}

/** Queues several mails in few statements, each as `sendMail` does. */
export async function sendMails<T extends MailTemplate>(
  tx: Transaction,
  ctx: MessageCtx,
  mails: readonly (Omit<Message, 'id' | 'counter'> & { template: T; values: MailValues[T] })[],
): Promise<void> {
  const { home, platformPeople } = await platformHome(
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
    const domainMails = mails.filter(
      ({ userId }) => (userId !== null && platformPeople.has(userId)) === (domain === home),
    )
    await queueMails(
      tx,
      { ...ctx, domain },
      domainMails.map((mail) => ({
        ...mail,
        values: withOrigin(mail.values, ctx.domain.origin, domain.origin),
        ...receiverFields(domain, receivers.get(mail.userId ?? ''), mail.locale),
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

/**
 * Queues an SMS as `sendMail` queues a mail. Returns its id. With `triedFirst` the calling function sends it itself
 * after the commit.
 */
export async function sendSms<T extends SmsTemplate>(
  tx: Transaction,
  ctx: MessageCtx,
  { template, values, triedFirst, ...message }: Message & { template: T; values: SmsValues[T]; triedFirst?: boolean },
): Promise<string> {
  return queueSms(tx, ctx, { ...(await withSender(tx, ctx, message)), template, values, triedFirst })
}
