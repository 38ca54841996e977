import { roleType } from '@/db/schema/people'
import { choice, defineEntity, json, list, text, yesNo } from '@/lib/kernel/record/entity'

/** Where somebody holds a role. */
export type Holding = { person: string; organization?: string; contractor?: string }

export const roleEntity = defineEntity('roles', {
  code: text('roles.code'),
  name: text('roles.name'),
  nameEn: text('roles.nameEn'),
  comment: text('roles.comment'),
  roleType: choice('roles.type', roleType.enumValues, 'roles.types'),
  enabled: yesNo('roles.enabled'),
  /** Codes; those of an application after its own code. */
  methods: list<string>('roles.methods'),
  /** Somebody who got the role or lost it. */
  holder: json<Holding>('roles.holder'),
})
