import { z } from 'zod'
import { contract, Done, Id, line } from '@/lib/base/contracts/contract'
import { formField } from '@/lib/base/http/form-fields'
import { TermsAgree } from '@/lib/base/http/terms'
import { CursorMeta, listQuery, many } from '@/lib/base/lists/lists'
import { invitationStatuses } from '../sent-invitations/contract'

const Named = z.strictObject({ id: Id, name: z.string() })

const Own = z.strictObject({
  id: Id,
  company: z.string(),
  /** An open invitation has the roles that it still gives, another one those that were chosen. */
  access: z.array(z.strictObject({ organizationId: Id, organization: z.string(), roles: z.array(Named) })),
  status: z.enum(invitationStatuses),
  /** Whether it can be accepted: it is open and still gives a role. */
  acceptable: z.boolean(),
  /** When it was created, until when it can be answered, and when it was answered or revoked. */
  date: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  /** The name or e-mail of the inviter; empty if the account has been deleted. */
  inviter: z.string(),
})
export type OwnInvitation = z.output<typeof Own>

export const OwnInvitationQuery = listQuery({
  filters: {
    search: line(100).optional(),
    status: many(z.enum(invitationStatuses)).optional(),
    dateFrom: z.iso.date('errorFormat').optional(),
    dateTo: z.iso.date('errorFormat').optional(),
  },
  sorts: ['date', 'expiresAt'],
  defaultSort: { by: 'date', order: 'desc' },
  cursor: true,
})

const common = { tag: 'invitations', access: 'user' } as const
const path = '/user/invitations'
const params = z.strictObject({ id: Id })

export const listOwnInvitations = contract({
  ...common,
  name: 'listOwnInvitations',
  method: 'GET',
  path,
  summary: 'The invitations to the proven main e-mail of the signed-in person',
  query: OwnInvitationQuery,
  response: z.strictObject({
    invitations: z.array(Own),
    meta: CursorMeta,
    /** The e-mail to which they were sent; null if the person has none or hasn’t proven it. */
    email: z.string().nullable(),
  }),
})

const answers = { notFound: 404, expired: 403, used: 400, canceled: 400 }

export const acceptOwnInvitation = contract({
  ...common,
  name: 'acceptOwnInvitation',
  method: 'POST',
  path: `${path}/{id}/accept`,
  summary: 'Accepts an invitation to the signed-in person; terms that wait for agreement are agreed with it',
  snackbar: 'ownInvitationAccept',
  params,
  body: z.strictObject({ termsAgree: formField(TermsAgree) }),
  response: Done,
  errors: { ...answers, termsRequired: 403, lastAdministrator: 409 },
})

export const declineOwnInvitation = contract({
  ...common,
  name: 'declineOwnInvitation',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Declines an invitation to the signed-in person; its link is dead at once',
  snackbar: 'ownInvitationDecline',
  params,
  response: Done,
  errors: answers,
})
