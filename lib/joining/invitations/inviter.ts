import type { Transaction } from '@/db/client'
import { keepAccounts } from '@/lib/accounts/users/own'
import type { Ctx } from '@/lib/base/context/ctx'
import type { MessageCtx } from '@/lib/base/mail-and-sms/queue'
import { sendMail } from '@/lib/messaging/sender/service'
import { servedDomain } from '@/lib/site/domains/service'
import { type Invitation, selectContractorName, selectInviter } from './queries'

/**
 * Keeps the inviter until the transaction ends, before the invitation is locked: deleting their account takes their name
 * from it, and the mail to them names the account.
 */
export const keepInviter = (tx: Transaction, { inviterId }: Pick<Invitation, 'inviterId'>) =>
  keepAccounts(tx, inviterId ? [inviterId] : [])

/** Returns the context of a mail about an invitation: it is of the domain on which it was sent, whoever acts where. */
export const sentFrom = async (
  { now, domain, bulk = false }: MessageCtx,
  { domainId }: Pick<Invitation, 'domainId'>,
) => ({
  now,
  bulk,
  domain: domainId ? await servedDomain(domainId) : domain,
})

/**
 * Mails the inviter that an invitation was accepted or declined, unless the account is gone, disabled or has no e-mail.
 */
export async function mailInviter(
  tx: Transaction,
  ctx: Ctx,
  { inviterId, contractorId, domainId, email }: Invitation,
  template: 'invitationAccepted' | 'invitationDeclined',
  person = '',
) {
  const inviter = await selectInviter(inviterId, tx)
  if (!inviter?.enabled || !inviter.email) return
  const to = { to: inviter.email, userId: inviter.id }
  const from = await sentFrom(ctx, { domainId })
  const values = { name: inviter.firstName, email, company: await selectContractorName(contractorId, tx) }
  if (template === 'invitationDeclined') await sendMail(tx, from, { ...to, template, values })
  else await sendMail(tx, from, { ...to, template, values: { ...values, person: person || email } })
}
