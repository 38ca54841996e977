import type { Transaction } from '@/db/client'
import type { NamedAccount } from '@/lib/accounts/users/create'
import { languageFrom, type MessageCtx } from '@/lib/base/mail-and-sms/queue'
import { mailSubscribed } from '@/lib/messaging/subscriptions/service'
import { type Invitation, selectContractorName, selectInviter, selectOpenRoles } from './queries'
import { organizationsOf } from './service'

export type Account = NamedAccount

/** Returns the cause under which a digest stores the mail of an invitation. */
export const causeOf = (id: string) => `invitation-${id}`

type Link = { guid: string; inviteAlive: number }
type InvitationFacts = Awaited<ReturnType<typeof factsOf>>

/** Returns the data of an invitation for its mail: the inviter, the company and the roles. */
export async function factsOf(tx: Transaction, { id, contractorId, inviterId }: Invitation) {
  return {
    roles: await selectOpenRoles(id, tx),
    company: await selectContractorName(contractorId, tx),
    inviter: await selectInviter(inviterId, tx),
  }
}

/**
 * Returns the mail with the link of an invitation, in the language of the account, else of the invitation, else of the
 * domain.
 */
export function linkMail(
  ctx: MessageCtx,
  { email, locale, expiresAt }: Pick<Invitation, 'email' | 'locale' | 'expiresAt'>,
  link: Link,
  account: Account | undefined,
  { roles, company, inviter }: InvitationFacts,
) {
  const language = languageFrom(ctx.domain, account?.lang ?? locale)
  const names = organizationsOf(roles, language).flatMap((organization) => organization.roles.map(({ name }) => name))
  return {
    template: 'invitation' as const,
    to: email,
    locale: language,
    expiresAt,
    values: {
      name: account?.firstName ?? '',
      inviter: inviter?.fio ?? '',
      inviterEmail: inviter?.email ?? '',
      company,
      roles: [...new Set(names)],
      link: `${ctx.domain.origin}/platform/invitation/${link.guid}`,
      alive: link.inviteAlive,
    },
  }
}

/**
 * Mails the link to a person with an account, as they have chosen for this subscription. Returns the id of their
 * account and the company.
 */
export async function mailAccount(
  tx: Transaction,
  ctx: MessageCtx,
  invitation: Invitation,
  link: Link,
  account: Account,
  facts: InvitationFacts,
) {
  const { id: userId } = account
  const mail = linkMail(ctx, invitation, link, account, facts)
  await mailSubscribed(tx, ctx, { ...mail, userId, subscription: 'invitation', cause: causeOf(invitation.id) })
  return { userId, company: facts.company }
}
