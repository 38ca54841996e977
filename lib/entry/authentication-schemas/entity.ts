import { defineEntity, list, number, references, text, yesNo } from '@/lib/kernel/record/entity'

export const schemaEntity = defineEntity('authentication-schemas', {
  name: text('authentication-schemas.name'),
  nameEn: text('authentication-schemas.nameEn'),
  code: text('authentication-schemas.code'),
  comment: text('authentication-schemas.comment'),
  active: yesNo('authentication-schemas.active'),
  firstFactor: list<string>('authentication-schemas.firstFactor'),
  secondFactor: list<string>('authentication-schemas.secondFactor'),
  roles: references('authentication-schemas.roles', 'roles'),
  /** Counted from 1, as the page shows it. */
  place: number('authentication-schemas.place'),
})
