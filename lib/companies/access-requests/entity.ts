import { accessRequestStatus } from '@/db/schema/access-requests'
import { choice, combinations, defineEntity, reference, references, text } from '@/lib/base/audit/entity'

export const accessRequestEntity = defineEntity(
  'access-requests',
  {
    userId: reference('access-requests.record.userId', 'users'),
    name: text('access-requests.record.name'),
    inn: text('access-requests.record.inn'),
    kpp: text('access-requests.record.kpp'),
    roles: references('access-requests.record.roles', 'roles'),
    status: choice('access-requests.record.status', accessRequestStatus.enumValues, 'access-requests.record.statuses'),
    reason: text('access-requests.record.reason'),
    contractorId: reference('access-requests.record.contractorId', 'contractors'),
    contractorRoles: combinations<{ organizationId: string; roleId: string }>(
      'access-requests.record.contractorRoles',
      { organizationId: 'organizations', roleId: 'roles' },
    ),
  },
  { area: 'contractors' },
)
