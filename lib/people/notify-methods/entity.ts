import { defineEntity, yesNo } from '@/lib/kernel/record/entity'

export const notifyMethodEntity = defineEntity(
  'notify-methods',
  { enabled: yesNo('notify-methods.enabled') },
  { area: 'settings' },
)
