import { invitationStatus } from '@/db/schema/entry'
import { choice, combinations, date, defineEntity, reference, text } from '@/lib/base/audit/entity'

export const invitationEntity = defineEntity(
  'invitations',
  {
    email: text('history.invitations.email'),
    contractorId: reference('history.invitations.contractorId', 'contractors'),
    contractorRoles: combinations<{ organizationId: string; roleId: string }>('history.invitations.contractorRoles', {
      organizationId: 'organizations',
      roleId: 'roles',
    }),
    status: choice('history.invitations.status', invitationStatus.enumValues, 'history.invitations.statuses'),
    expiresAt: date('history.invitations.expiresAt'),
  },
  { area: 'contractors' },
)
