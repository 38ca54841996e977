import { z } from 'zod'
import { contract, Done, Id, line, requiredLine } from '@/lib/base/contracts/contract'
import { CursorMeta, listQuery, many } from '@/lib/base/lists/lists'

export const invitationStatuses = ['active', 'deactivated', 'refusal', 'success', 'autoSuccess', 'deleted'] as const

const Named = z.strictObject({ id: Id, name: z.string() })

const Sent = z.strictObject({
  id: Id,
  email: z.string(),
  contractor: Named,
  access: z.array(z.strictObject({ organizationId: Id, organization: z.string(), roles: z.array(Named) })),
  status: z.enum(invitationStatuses),
  /**
   * When it was created, when its link was sent last, until when the link works, and when it was answered or revoked.
   */
  date: z.iso.datetime(),
  sentAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  /** The name of the inviter; empty if the account has been deleted. */
  inviter: z.string(),
})
export type SentInvitation = z.output<typeof Sent>

export const SentInvitationQuery = listQuery({
  filters: {
    search: line(100).optional(),
    status: many(z.enum(invitationStatuses)).optional(),
    contractorId: Id.optional(),
    dateFrom: z.iso.date('errorFormat').optional(),
    dateTo: z.iso.date('errorFormat').optional(),
  },
  sorts: ['date', 'expiresAt', 'email'],
  defaultSort: { by: 'date', order: 'desc' },
  cursor: true,
})

const common = { tag: 'invitations', access: { method: 'masterAccountAccess' } } as const
const path = '/master-account/invitations'

export const listSentInvitations = contract({
  ...common,
  name: 'listSentInvitations',
  method: 'GET',
  path,
  summary: 'The invitations to contractors that the caller manages, whoever sent them',
  query: SentInvitationQuery,
  response: z.strictObject({ invitations: z.array(Sent), meta: CursorMeta }),
})

const inviting = {
  errorEmail: 400,
  errorOrganization: 400,
  errorRole: 400,
  forbiddenRole: 403,
  notFound: 404,
  invitationActive: 409,
  contractorMember: 409,
  tooManyAttempts: 429,
}

export const createInvitation = contract({
  ...common,
  name: 'createInvitation',
  method: 'POST',
  path,
  summary: 'Invites somebody to a contractor, with roles by organization; a mail has the link',
  snackbar: 'invitationCreate',
  body: z.strictObject({
    email: requiredLine(1024),
    contractorId: Id,
    access: z
      .array(z.strictObject({ organizationId: Id, roles: z.array(Id).max(100, 'errorTooMany') }))
      .max(200, 'errorTooMany'),
    /** The language of the mail; by default the account’s, else the inviter’s. */
    locale: line(16).optional(),
  }),
  response: z.strictObject({ id: Id, expiresAt: z.iso.datetime() }),
  errors: { ...inviting, errorLocale: 400 },
})

const ById = z.strictObject({ id: Id })

export const resendInvitation = contract({
  ...common,
  name: 'resendInvitation',
  method: 'POST',
  path: `${path}/resend/{id}`,
  summary: 'Sends an open or expired invitation again, with a new link that replaces the one before',
  snackbar: 'invitationResend',
  params: ById,
  response: z.strictObject({
    resendIn: z.number().int().meta({ description: 'Seconds until it can be sent again' }),
  }),
  errors: {
    forbiddenRole: 403,
    notFound: 404,
    invitationActive: 409,
    contractorMember: 409,
    invitationClosed: 409,
    tooManyAttempts: 429,
  },
})

export const revokeInvitation = contract({
  ...common,
  name: 'revokeInvitation',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Revokes an invitation: its link is dead at once, and the invitee is told',
  snackbar: 'invitationRevoke',
  params: ById,
  response: Done,
  errors: { notFound: 404, invitationClosed: 409 },
})
