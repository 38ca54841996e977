import { defineEntity, text } from '@/lib/base/audit/entity'

export const deviceTypeEntity = defineEntity('device-types', {
  name: text('device-types.name'),
  nameEn: text('device-types.nameEn'),
  code: text('device-types.code'),
})
