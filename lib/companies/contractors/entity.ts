import { anything, defineEntity, json, list, reference, references, text, yesNo } from '@/lib/base/audit/entity'

export const contractorEntity = defineEntity('contractors', {
  name: text('contractors.name'),
  inn: text('requisites.inn'),
  kpp: text('requisites.kpp'),
  ogrn: text('requisites.ogrn'),
  okpo: text('requisites.okpo'),
  registrationNumber: text('requisites.registrationNumber'),
  taxNumber: text('requisites.taxNumber'),
  externalCode: text('requisites.externalCode'),
  enabled: yesNo('contractors.enabled'),
  availableOrganizations: references('contractors.organizations', 'organizations'),
  /** The value of a dynamic field, by its code. */
  'field:*': anything('contractors.field'),
  /** All values of dynamic fields, in histories of earlier versions. */
  values: json<Record<string, unknown>>('contractors.values'),
  /** Names of contractors that were merged into it. */
  mergedFrom: list<string>('contractors.mergedFrom'),
  mergedInto: reference('contractors.mergedInto', 'contractors'),
})
