import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/kernel/ctx'
import { sendMail } from '@/lib/platform/sender/service'
import { type Invitation, selectContractorName, selectInviter } from './queries'

/**
 * Mails the inviter that an invitation was accepted or declined, unless the account is gone, disabled or has no e-mail.
 */
export async function mailInviter(
  tx: Transaction,
  ctx: Ctx,
  { inviterId, contractorId, email }: Invitation,
  template: 'invitationAccepted' | 'invitationDeclined',
  person = '',
) {
  const inviter = await selectInviter(inviterId, tx)
  if (!inviter?.enabled || !inviter.email) return
  const to = { to: inviter.email, userId: inviter.id, locale: inviter.lang }
  const values = { name: inviter.firstName, email, company: await selectContractorName(contractorId, tx) }
  if (template === 'invitationDeclined') await sendMail(tx, ctx, { ...to, template, values })
  else await sendMail(tx, ctx, { ...to, template, values: { ...values, person: person || email } })
}
