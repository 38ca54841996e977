import { defineEntity, text, yesNo } from '@/lib/base/audit/entity'

export const organizationEntity = defineEntity('organizations', {
  name: text('organizations.name'),
  nameEn: text('organizations.nameEn'),
  code: text('organizations.code'),
  inn: text('requisites.inn'),
  kpp: text('requisites.kpp'),
  ogrn: text('requisites.ogrn'),
  okpo: text('requisites.okpo'),
  registrationNumber: text('requisites.registrationNumber'),
  taxNumber: text('requisites.taxNumber'),
  externalCode: text('requisites.externalCode'),
  enabled: yesNo('organizations.enabled'),
})
