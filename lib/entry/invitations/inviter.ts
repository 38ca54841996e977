import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/kernel/ctx'
import { sendMail } from '@/lib/platform/sender/service'
import { contractorName, type Invitation, inviterOf } from './queries'

/** Mails the inviter what became of an invitation; nobody, if that account is gone, blocked or without e-mail. */
export async function tellInviter(
  tx: Transaction,
  ctx: Ctx,
  { inviterId, contractorId, email }: Invitation,
  template: 'invitationAccepted' | 'invitationDeclined',
  person = '',
) {
  const inviter = await inviterOf(inviterId, tx)
  if (!inviter?.enabled || !inviter.email) return
  const to = { to: inviter.email, userId: inviter.id, locale: inviter.lang }
  const values = { name: inviter.firstName, email, company: await contractorName(contractorId, tx) }
  if (template === 'invitationDeclined') await sendMail(tx, ctx, { ...to, template, values })
  else await sendMail(tx, ctx, { ...to, template, values: { ...values, person: person || email } })
}
