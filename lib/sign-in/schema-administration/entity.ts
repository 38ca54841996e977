import { flowIds } from '@/lib/access/authentication-schemas/flow-ids'
import { choices, defineEntity, number, references, text, yesNo } from '@/lib/base/audit/entity'

export const schemaEntity = defineEntity('authentication-schemas', {
  name: text('authentication-schemas.name'),
  nameEn: text('authentication-schemas.nameEn'),
  code: text('authentication-schemas.code'),
  comment: text('authentication-schemas.comment'),
  active: yesNo('authentication-schemas.active'),
  firstFactor: choices('authentication-schemas.firstFactor', flowIds, 'authentication-schemas.flows'),
  secondFactor: choices('authentication-schemas.secondFactor', flowIds, 'authentication-schemas.flows'),
  roles: references('authentication-schemas.roles', 'roles'),
  /** Counted from 1, as the page shows it. */
  place: number('authentication-schemas.place'),
})
