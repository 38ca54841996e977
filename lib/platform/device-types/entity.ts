import { defineEntity, text } from '@/lib/kernel/record/entity'

export const deviceTypeEntity = defineEntity('device-types', {
  name: text('device-types.name'),
  nameEn: text('device-types.nameEn'),
  code: text('device-types.code'),
})
