import { z } from 'zod'
import { db, type Transaction } from '@/db/client'
import { accountsOfEmail, type NamedAccount } from '@/lib/accounts/users/create'
import { decrypt } from '@/lib/base/crypto/encryption'
import type { TaskPayloads } from '@/lib/base/jobs/jobs'
import type { MessageCtx } from '@/lib/base/mail-and-sms/queue'
import { greetingFrom } from '@/lib/fields/names'
import { directoryOf } from '@/lib/identity-providers/connections/service'
import { sendMail } from '@/lib/messaging/sender/service'
import { createLink, hasLinkSince } from '@/lib/sign-in/email-links/service'
import { domainByHost } from '@/lib/site/domains/service'
import { platformSettings } from '@/lib/site/settings/service'
import { RegistrationData } from './rules'

/** The sealed payload of the job: the input of somebody who registers. */
export const RegistrationRequest = RegistrationData.extend({ email: z.string() })

async function sendLink(
  tx: Transaction,
  ctx: MessageCtx,
  { email, ...data }: z.output<typeof RegistrationRequest>,
  { alive, locale }: { alive: number; locale: string },
) {
  const id = await createLink(tx, ctx, 'registration', { email, data }, alive)
  await sendMail(tx, ctx, {
    template: 'registrationLink',
    to: email,
    userId: null,
    // who has no account reads the language of the page on which they register
    locale,
    // the names may be any text that a stranger wants to send to somebody else
    values: { name: greetingFrom(data.names), link: `${ctx.domain.origin}/platform/registration/${id}`, alive },
    expiresAt: new Date(ctx.now().getTime() + alive * 1000),
  })
}

/** Mails the owner that the e-mail has an account, with a link to a new password. */
async function sendKnown(tx: Transaction, ctx: MessageCtx, account: NamedAccount, alive: number) {
  const { id: userId, email, firstName, login, lang, providerId } = account
  const mail = { to: email, userId, locale: lang }
  if (providerId) {
    const provider = (await directoryOf(tx, providerId))?.provider ?? ''
    const values = { name: firstName, provider, link: `${ctx.domain.origin}/platform/login` }
    return sendMail(tx, ctx, { ...mail, template: 'registrationDirectory', values })
  }
  const id = await createLink(tx, ctx, 'recovery', { userId }, alive)
  const values = { name: firstName, login, link: `${ctx.domain.origin}/platform/new-password/${id}`, alive }
  const expiresAt = new Date(ctx.now().getTime() + alive * 1000)
  await sendMail(tx, ctx, { ...mail, template: 'registrationKnown', values, expiresAt })
}

/**
 * The job behind a registration's first step: mails a link to a new e-mail, a notice to the owners of a known one,
 * and nothing if all its accounts are disabled. The page has shown everybody the same. `repeatOf`: if the job has run
 * before, when its first run began; it may have done its work.
 */
export async function deliverRegistrationMail(
  { told, host, locale }: TaskPayloads['registrationMail'],
  repeatOf: Date | null,
) {
  const request = RegistrationRequest.parse(JSON.parse(decrypt('messages', told, 'registration')))
  const [domain, { registrationAlive, refreshAlive }] = await Promise.all([domainByHost(host), platformSettings()])
  const now = new Date()
  const ctx: MessageCtx = { domain, now: () => now }
  await db().transaction(async (tx) => {
    if (repeatOf && (await hasLinkSince(tx, 'registration', { email: request.email }, repeatOf))) return
    const accounts = await accountsOfEmail(request.email, tx)
    if (accounts.length === 0) return sendLink(tx, ctx, request, { alive: registrationAlive, locale })
    for (const account of accounts) {
      const { id: userId, enabled } = account
      if (!enabled || (repeatOf && (await hasLinkSince(tx, 'recovery', { userId }, repeatOf)))) continue
      await sendKnown(tx, ctx, account, refreshAlive)
    }
  })
}
