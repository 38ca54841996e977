import { defineEntity, number, reference, text, yesNo } from '@/lib/base/audit/entity'
import { exportFields } from '@/lib/base/export/fields'

/** What the history shows of an export of the list of accounts: its filters and the number of accounts. */
export const userExportEntity = defineEntity(
  'users-export',
  {
    ...exportFields,
    search: text('users.search'),
    enabled: yesNo('users.enabled'),
    roleId: reference('users.role', 'roles'),
    organizationId: reference('users.organization', 'organizations'),
    contractorId: reference('users.contractor', 'contractors'),
    providerId: text('users.provider'),
    unseenDays: number('users.unseenDays'),
    incomplete: yesNo('users.incomplete'),
  },
  { area: 'users' },
)
