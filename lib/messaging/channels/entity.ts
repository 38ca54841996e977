import { defineEntity, yesNo } from '@/lib/base/audit/entity'

export const notifyMethodEntity = defineEntity(
  'notify-methods',
  { enabled: yesNo('notify-methods.enabled') },
  { area: 'settings' },
)
