import { z } from 'zod'
import { db, type Transaction } from '@/db/client'
import { createLink, hasLinkSince } from '@/lib/entry/links/service'
import { unseal } from '@/lib/kernel/crypto/secrets'
import type { TaskPayloads } from '@/lib/kernel/jobs'
import type { MessageCtx } from '@/lib/kernel/messages/queue'
import { directoryOf } from '@/lib/people/providers/service'
import { accountsOfEmail, type NamedAccount } from '@/lib/people/users/create'
import { greetingFrom } from '@/lib/people/users/names'
import { domainByHost } from '@/lib/platform/domains/service'
import { sendMail } from '@/lib/platform/sender/service'
import { platformSettings } from '@/lib/platform/settings/service'
import { RegistrationData } from './rules'

/** What a job is told of somebody who registers. */
export const Told = RegistrationData.extend({ email: z.string() })

async function sendLink(tx: Transaction, ctx: MessageCtx, { email, ...data }: z.output<typeof Told>, alive: number) {
  const id = await createLink(tx, ctx, 'registration', { email, data }, alive)
  await sendMail(tx, ctx, {
    template: 'registrationLink',
    to: email,
    userId: null,
    // whoever asked may have written anything at all into somebody else's mail
    values: { name: greetingFrom(data.names), link: `${ctx.domain.origin}/platform/registration/${id}`, alive },
    expiresAt: new Date(ctx.now().getTime() + alive * 1000),
  })
}

/** Tells an account's owner that it is there, with a way back in. */
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
 * The job behind a registration's first step: a link for a new e-mail; for a known one a mail to its owner that says
 * so; nothing where every account of it is disabled. The page has told everybody the same. `repeatOf`: the job has run
 * before and may have done its work; since when.
 */
export async function deliverRegistrationMail(
  { told, host, locale }: TaskPayloads['registrationMail'],
  repeatOf: Date | null,
) {
  const request = Told.parse(JSON.parse(unseal('messages', told, 'registration')))
  const [domain, { registrationAlive, refreshAlive }] = await Promise.all([domainByHost(host), platformSettings()])
  const now = new Date()
  const ctx: MessageCtx = { domain, locale, now: () => now }
  await db().transaction(async (tx) => {
    if (repeatOf && (await hasLinkSince(tx, 'registration', { email: request.email }, repeatOf))) return
    const accounts = await accountsOfEmail(request.email, tx)
    if (accounts.length === 0) return sendLink(tx, ctx, request, registrationAlive)
    for (const account of accounts) {
      const { id: userId, enabled } = account
      if (!enabled || (repeatOf && (await hasLinkSince(tx, 'recovery', { userId }, repeatOf)))) continue
      await sendKnown(tx, ctx, account, refreshAlive)
    }
  })
}
