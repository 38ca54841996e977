import { deliveryState } from '@/db/schema/operations'
import { choice, defineEntity } from '@/lib/base/audit/entity'

/** The delivery of an event to one handler. */
export const eventEntity = defineEntity(
  'events',
  {
    state: choice('history.events.state', deliveryState.enumValues, 'history.events.states'),
  },
  { area: 'monitoring' },
)
