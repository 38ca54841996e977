import { roleType } from '@/db/schema/people'
import { choice, combinations, defineEntity, list, text, yesNo } from '@/lib/base/audit/entity'

/** Who holds a role, and where. */
export type Holding = { userId: string; organizationId?: string; contractorId?: string }

export const roleEntity = defineEntity('roles', {
  code: text('roles.code'),
  name: text('roles.name'),
  nameEn: text('roles.nameEn'),
  comment: text('roles.comment'),
  commentEn: text('roles.commentEn'),
  roleType: choice('roles.type', roleType.enumValues, 'roles.types'),
  enabled: yesNo('roles.enabled'),
  /** Codes of methods; the code of an application's method follows that of the application. */
  methods: list<string>('roles.methods'),
  /** Only the holders who got or lost the role. */
  holders: combinations<Holding>('roles.holders', {
    userId: 'users',
    organizationId: 'organizations',
    contractorId: 'contractors',
  }),
})
