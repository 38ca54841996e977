import { randomUUID } from 'node:crypto'
import { db, type Transaction } from '@/db/client'
import { accountsOfEmail } from '@/lib/accounts/users/create'
import { type AuditContext, audit } from '@/lib/base/audit/audit'
import { invalidate } from '@/lib/base/cache/cache'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { digest } from '@/lib/base/crypto/encryption'
import { type DomainEvents, emit } from '@/lib/base/events/events'
import { takePoints } from '@/lib/base/limits/limits'
import type { MessageCtx } from '@/lib/base/mail-and-sms/queue'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import {
  assignableRoles,
  type ContractorAccess,
  isInContractor,
  requireManagerOf,
} from '@/lib/companies/managers/service'
import { dropFromDigest } from '@/lib/messaging/sender/digests'
import { sendMail } from '@/lib/messaging/sender/service'
import { normalizeIdentifier } from '@/lib/sign-in/attempts/identifier'
import { platformSettings } from '@/lib/site/settings/service'
import { invitationEntity } from './entity'
import { deactivate } from './expire'
import { mailContextOf } from './inviter'
import { endOf } from './link'
import { type Account, causeOf, factsOf, linkMail, mailAccount } from './mail'
import {
  type Invitation,
  insertInvitation,
  insertInvitationRoles,
  invitationRows,
  lockOpenInvitationsTo,
  lockPair,
  selectContractorName,
  selectInvitedRoles,
} from './queries'

/** Seconds before the same invitation can be sent again. */
const resendAfter = 60

/**
 * The limits of mails that a person sends one by one: to one address for all companies, and in all. The import of a
 * list has its own limits.
 */
const limitsOf = (inviterId: string, email: string) => [
  { name: 'invitations-to', key: `${inviterId} ${digest(email)}`, tiers: [{ points: 10, duration: 86_400 }] },
  { name: 'invitations', key: inviterId, tiers: [{ points: 1_000, duration: 86_400 }] },
]

/** Creates a link: its GUID for the mail, and its digest and dates for the table. */
export async function newLink(ctx: Pick<Ctx, 'now'>) {
  const { inviteAlive } = await platformSettings()
  const guid = randomUUID()
  const sentAt = ctx.now()
  const expiresAt = new Date(sentAt.getTime() + inviteAlive * 1000)
  return { guid, inviteAlive, values: { idHash: digest(guid), sentAt, expiresAt } }
}

/**
 * Closes expired invitations of this e-mail to this contractor. Returns the accounts of the e-mail. Throws 409 if there
 * is another open invitation than `except`, or if one of the accounts belongs to the contractor already.
 */
async function requireUninvited(
  tx: Transaction,
  ctx: AuditContext,
  { email, contractorId }: { email: string; contractorId: string },
  except?: string,
) {
  await lockPair(tx, email, contractorId)
  const openRows = (await lockOpenInvitationsTo(tx, email, contractorId)).filter(({ id }) => id !== except)
  const expired = openRows.filter((row) => endOf(row, ctx.now()))
  if (expired.length < openRows.length) throw new AppError(409, 'invitationActive')
  const accounts = await accountsOfEmail(email, tx)
  const ids = accounts.map(({ id }) => id)
  if (await isInContractor(ids, contractorId, tx)) throw new AppError(409, 'contractorMember')
  await deactivate(
    tx,
    ctx,
    expired.map(({ id }) => id),
  )
  return accounts
}

/** Mails the link. Returns the id of the invited account and the company. Returns null if the e-mail has no account. */
async function mailLink(
  tx: Transaction,
  ctx: MessageCtx,
  invitation: Invitation,
  link: { guid: string; inviteAlive: number },
  account: Account | undefined,
) {
  const facts = await factsOf(tx, invitation)
  const mailContext = await mailContextOf(ctx, invitation)
  if (account) return mailAccount(tx, mailContext, invitation, link, account, facts)
  await sendMail(tx, mailContext, { ...linkMail(mailContext, invitation, link, undefined, facts), userId: null })
  return null
}

export type NewInvitation = {
  email: string
  contractorId: string
  access: ContractorAccess[]
  /** The language of the mail if the account has none, or if there is no account. By default it is the domain's. */
  locale?: string | null
}

/**
 * Invites a person in the name of an account, in a given transaction. The caller has checked that the account manages
 * the contractor. Returns the invitation's id and its end. Calls `onInvited` if the invited person has an account.
 * Throws as createInvitation does.
 */
export async function inviteIn(
  tx: Transaction,
  ctx: AuditContext & MessageCtx,
  inviterId: string,
  { contractorId, access, locale = null, ...input }: NewInvitation,
  link: Awaited<ReturnType<typeof newLink>>,
  onInvited?: (invited: DomainEvents['invitationSent']) => Promise<unknown>,
) {
  const email = normalizeIdentifier('email', input.email)
  const roles = await assignableRoles(tx, inviterId, contractorId, access)
  const [account] = await requireUninvited(tx, ctx, { email, contractorId })
  const invitation = await insertInvitation(tx, {
    ...link.values,
    email,
    contractorId,
    inviterId,
    domainId: ctx.domain.id,
    locale,
    createdAt: ctx.now(),
  })
  await insertInvitationRoles(tx, invitation.id, roles)
  const { id, status, expiresAt } = invitation
  const after = { email, contractorId, contractorRoles: roles, status, expiresAt }
  await audit(tx, ctx, invitationEntity, id, null, after, { changerId: inviterId })
  await invalidate(tx, 'open-invitations')
  const invited = await mailLink(tx, ctx, invitation, link, account)
  if (invited) await onInvited?.(invited)
  return { id, expiresAt: expiresAt.toISOString() }
}

/** Invites a person in the name of an account, in its own transaction and without a limit. */
export async function inviteInNameOf(ctx: AuditContext & MessageCtx, inviterId: string, input: NewInvitation) {
  const link = await newLink(ctx)
  return db().transaction((tx) => inviteIn(tx, ctx, inviterId, input, link))
}

/**
 * Invites a person to a contractor and mails the link. Needs masterAccountAccess for that contractor. Throws 404 for a
 * contractor that the caller doesn't manage, 400 by field, 403 forbiddenRole, 409 invitationActive or contractorMember,
 * 429.
 */
export async function createInvitation(ctx: Ctx, input: NewInvitation) {
  const { user } = await requireManagerOf(ctx, input.contractorId)
  const email = normalizeIdentifier('email', input.email)
  const link = await newLink(ctx)
  return db().transaction(async (tx) => {
    const created = await inviteIn(tx, ctx, user.id, input, link, (invited) => emit(tx, ctx, 'invitationSent', invited))
    // last, so that refused invitations aren't counted
    await takePoints(...limitsOf(user.id, email))
    return created
  })
}

/** Returns the invitation if the caller manages its contractor. Throws 404 otherwise. */
async function managedInvitation(ctx: Ctx, id: string) {
  requireMethod(ctx, 'masterAccountAccess')
  const row = await invitationRows.select(id)
  if (!row) throw notFound()
  return { row, master: await requireManagerOf(ctx, row.contractorId) }
}

/**
 * Sends an open or expired invitation again with a new link, which replaces the previous one. The caller becomes its
 * inviter. Returns the seconds until it can be sent again; within a minute of the last time it sends nothing. Throws as
 * createInvitation does, and 409 invitationClosed after it was answered or revoked.
 */
export async function resendInvitation(ctx: Ctx, { id }: { id: string }): Promise<{ resendIn: number }> {
  const { row, master: manager } = await managedInvitation(ctx, id)
  const link = await newLink(ctx)
  return db().transaction(async (tx) => {
    await lockPair(tx, row.email, row.contractorId)
    const current = await invitationRows.lock(tx, id)
    if (!current) throw notFound()
    if (current.status !== 'active' && current.status !== 'deactivated') throw new AppError(409, 'invitationClosed')
    const wait = Math.ceil(resendAfter - (ctx.now().getTime() - current.sentAt.getTime()) / 1000)
    if (wait > 0) return { resendIn: wait }
    const access = (await selectInvitedRoles(id, tx)).map(({ organizationId, roleId }) => ({
      organizationId,
      roles: [roleId],
    }))
    await assignableRoles(tx, manager.user.id, current.contractorId, access)
    const [account] = await requireUninvited(tx, ctx, current, id)
    // the sender becomes the inviter: the invitation then gives what the sender may give
    const inviterId = manager.user.id
    await invitationRows.update(tx, id, {
      ...link.values,
      inviterId,
      status: 'active',
      mobile: null,
      mobileVerifiedAt: null,
    })
    const { status, expiresAt } = current
    const after = { status: 'active', expiresAt: link.values.expiresAt } as const
    await audit(tx, ctx, invitationEntity, id, { status, expiresAt }, after)
    await invalidate(tx, 'open-invitations')
    const invited = await mailLink(tx, ctx, { ...current, ...link.values, inviterId }, link, account)
    if (invited) await emit(tx, ctx, 'invitationSent', invited)
    await takePoints(...limitsOf(inviterId, current.email))
    return { resendIn: resendAfter }
  })
}

/**
 * Revokes an invitation. Its row stays, its link is dead, and the invitee gets a mail if the link was live. Throws 404
 * if the caller doesn't manage its contractor, and 409 invitationClosed after it was answered or revoked.
 */
export async function revokeInvitation(ctx: Ctx, { id }: { id: string }) {
  await managedInvitation(ctx, id)
  await db().transaction(async (tx) => {
    const row = await invitationRows.lock(tx, id)
    if (!row) throw notFound()
    const { status, email, contractorId, domainId, locale } = row
    if (status !== 'active' && status !== 'deactivated') throw new AppError(409, 'invitationClosed')
    await invitationRows.update(tx, id, { status: 'deleted', finishedAt: ctx.now() })
    await audit(tx, ctx, invitationEntity, id, { status }, { status: 'deleted' })
    await invalidate(tx, 'open-invitations')
    if (endOf(row, ctx.now())) return
    const [account] = await accountsOfEmail(email, tx)
    if (account) await dropFromDigest(tx, account.id, causeOf(id))
    await sendMail(tx, await mailContextOf(ctx, { domainId }), {
      template: 'invitationRevoked',
      to: email,
      userId: account?.id ?? null,
      locale,
      values: { name: account?.firstName ?? '', company: await selectContractorName(contractorId, tx) },
    })
  })
  return {}
}
