import { callerId, requireMethod, requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { fieldError } from '@/lib/base/runtime/errors'
import { managedBy } from '@/lib/companies/managers/service'
import * as invitations from '../invitations/manage'
import { accessOf } from './access'
import type * as calls from './contract'
import { selectRolesOfInvitations, selectSentPage } from './queries'

/** Returns one page of the invitations to contractors that the caller manages. Needs masterAccountAccess. */
export async function listSentInvitations(ctx: Ctx, { query }: ServiceInput<typeof calls.listSentInvitations>) {
  requireUser(ctx)
  requireMethod(ctx, 'masterAccountAccess')
  const { id, pagination } = ctx.user ?? { id: '', pagination: null }
  const listContext = { caller: callerId(ctx), pageSize: pagination, now: ctx.now(), timeZone: ctx.timeZone }
  const { rows, meta } = await selectSentPage(await managedBy(id), query, listContext)
  const ids = rows.map(({ invitation }) => invitation.id)
  const roles = ids.length > 0 ? await selectRolesOfInvitations(ids, ctx.locale) : []
  const list = rows.map(
    ({ invitation, status, contractor, inviter }): calls.SentInvitation => ({
      id: invitation.id,
      email: invitation.email,
      contractor,
      access: accessOf(roles.filter(({ invitationId }) => invitationId === invitation.id)),
      status,
      date: invitation.createdAt.toISOString(),
      sentAt: invitation.sentAt.toISOString(),
      expiresAt: invitation.expiresAt.toISOString(),
      finishedAt: invitation.finishedAt?.toISOString() ?? null,
      inviter,
    }),
  )
  return { invitations: list, meta }
}

/**
 * Invites a person to a contractor that the caller manages. Throws as `createInvitation` of the module `invitations`
 * does.
 */
export async function createInvitation(ctx: Ctx, { body }: ServiceInput<typeof calls.createInvitation>) {
  if (body.locale !== undefined && !ctx.domain.locales.includes(body.locale)) throw fieldError('locale', 'errorLocale')
  return invitations.createInvitation(ctx, body)
}

/** Sends an invitation again. Throws as `resendInvitation` of the module `invitations` does. */
export const resendInvitation = (ctx: Ctx, { params }: ServiceInput<typeof calls.resendInvitation>) =>
  invitations.resendInvitation(ctx, params)

/** Revokes an invitation. Throws as `revokeInvitation` of the module `invitations` does. */
export const revokeInvitation = (ctx: Ctx, { params }: ServiceInput<typeof calls.revokeInvitation>) =>
  invitations.revokeInvitation(ctx, params)
