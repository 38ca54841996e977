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

/** The encrypted part of the job's payload: the input of the person who registers. */
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
    // a person without an account gets the language of the page on which they register
    locale,
    // the names may be any text that a stranger wants to send to another person
    values: { name: greetingFrom(data.names), link: `${ctx.domain.origin}/platform/registration/${id}`, alive },
    expiresAt: new Date(ctx.now().getTime() + alive * 1000),
  })
}

/** Mails the owner that the e-mail has an account, with a link to a new password. */
async function sendToOwner(tx: Transaction, ctx: MessageCtx, account: NamedAccount, alive: number) {
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
 * Handles the job of a registration's first step. Mails a link to a new e-mail, or a message to the owners of a known
 * one; sends nothing if all accounts of the e-mail are disabled. The page has shown the same in all cases. `repeatOf`:
 * when the first try of the job began, if this is a repetition; that try may have done its work.
 */
export async function deliverRegistrationMail(
  { told: encrypted, host, locale }: TaskPayloads['registrationMail'],
  repeatOf: Date | null,
) {
  const request = RegistrationRequest.parse(JSON.parse(decrypt('messages', encrypted, 'registration')))
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
      await sendToOwner(tx, ctx, account, refreshAlive)
    }
  })
}
