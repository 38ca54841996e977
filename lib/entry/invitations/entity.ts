import { invitationStatus } from '@/db/schema/entry'
import { choice, date, defineEntity, list, text } from '@/lib/kernel/record/entity'

export const invitationEntity = defineEntity('invitations', {
  email: text('history.invitations.email'),
  contractorId: text('history.invitations.contractorId'),
  contractorRoles: list<{ organizationId: string; roleId: string }>('history.invitations.contractorRoles'),
  status: choice('history.invitations.status', invitationStatus.enumValues, 'history.invitations.statuses'),
  expiresAt: date('history.invitations.expiresAt'),
})
