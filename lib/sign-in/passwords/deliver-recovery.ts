import { db, type Transaction } from '@/db/client'
import { accountsOfEmail, type NamedAccount } from '@/lib/accounts/users/create'
import type { TaskPayloads } from '@/lib/base/jobs/jobs'
import type { MessageCtx } from '@/lib/base/mail-and-sms/queue'
import { directoryOf } from '@/lib/identity-providers/connections/service'
import { sendMail } from '@/lib/messaging/sender/service'
import { domainByHost } from '@/lib/site/domains/service'
import { platformSettings } from '@/lib/site/settings/service'
import { createLink, hasLinkSince } from '../email-links/service'

/** `repeatOf`: when the first try of the job began, if this is a repetition; that try may have done its work. */
type RecoveryRequest = { ip: string; repeatOf: Date | null }

async function writeTo(tx: Transaction, ctx: MessageCtx, account: NamedAccount, { ip, repeatOf }: RecoveryRequest) {
  const { email: to, id: userId, lang, firstName: name, login } = account
  const receiver = { to, userId, locale: lang }
  if (account.providerId) {
    const directory = await directoryOf(tx, account.providerId)
    if (directory)
      await sendMail(tx, ctx, { ...receiver, template: 'recoveryDirectory', values: { name, ...directory } })
    return
  }
  if (repeatOf && (await hasLinkSince(tx, 'recovery', { userId }, repeatOf))) return
  const { refreshAlive: alive } = await platformSettings()
  const id = await createLink(tx, ctx, 'recovery', { userId }, alive)
  const link = `${ctx.domain.origin}/platform/new-password/${id}`
  const expiresAt = new Date(ctx.now().getTime() + alive * 1000)
  const values = { name, login, link, alive, ip }
  await sendMail(tx, ctx, { ...receiver, expiresAt, template: 'recoveryLink', values })
}

/**
 * Handles the job of passwordLink. Mails each enabled account of the e-mail a link, or the address where its directory
 * changes passwords. Without an account it ends without an error: the page has shown the same in all cases.
 */
export async function deliverRecoveryLinks({ email, host, ip }: TaskPayloads['recoveryLinks'], repeatOf: Date | null) {
  const now = new Date()
  const ctx: MessageCtx = { domain: await domainByHost(host), now: () => now }
  await db().transaction(async (tx) => {
    for (const account of await accountsOfEmail(email, tx))
      if (account.enabled) await writeTo(tx, ctx, account, { ip, repeatOf })
  })
}
