import { messageStatus } from '@/db/schema/operations'
import { choice, defineEntity } from '@/lib/base/audit/entity'

export const messageEntity = defineEntity(
  'messages',
  {
    status: choice('history.messages.status', messageStatus.enumValues, 'history.messages.statuses'),
  },
  { area: 'monitoring' },
)
