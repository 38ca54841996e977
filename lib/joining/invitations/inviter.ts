import type { Transaction } from '@/db/client'
import { keepAccounts } from '@/lib/accounts/users/own'
import type { Ctx } from '@/lib/base/context/ctx'
import type { MessageCtx } from '@/lib/base/mail-and-sms/queue'
import { sendMail } from '@/lib/messaging/sender/service'
import { servedDomain } from '@/lib/site/domains/service'
import { type Invitation, selectContractorName, selectInviter } from './queries'

/**
 * Locks the inviter's account until the transaction ends. Call it before the invitation is locked: deleting the account
 * removes the inviter from the invitation, and the mail to the inviter refers to the account.
 */
export const lockInviter = (tx: Transaction, { inviterId }: Pick<Invitation, 'inviterId'>) =>
  keepAccounts(tx, inviterId ? [inviterId] : [])

/**
 * Returns the context of a mail about an invitation. Its domain is the one on which the invitation was sent, not that
 * of the caller.
 */
export const mailContextOf = async (
  { now, domain, bulk = false }: MessageCtx,
  { domainId }: Pick<Invitation, 'domainId'>,
) => ({
  now,
  bulk,
  domain: domainId ? await servedDomain(domainId) : domain,
})

/**
 * Mails the inviter that an invitation was accepted or declined, unless the inviter's account has been deleted, is
 * disabled or has no e-mail.
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
  const receiver = { to: inviter.email, userId: inviter.id }
  const mailContext = await mailContextOf(ctx, { domainId })
  const values = { name: inviter.firstName, email, company: await selectContractorName(contractorId, tx) }
  if (template === 'invitationDeclined') await sendMail(tx, mailContext, { ...receiver, template, values })
  else await sendMail(tx, mailContext, { ...receiver, template, values: { ...values, person: person || email } })
}
