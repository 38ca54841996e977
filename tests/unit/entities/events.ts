import { outboxDeliveries } from '@/db/schema'

const names = ['eventId', 'handler', 'entity', 'entityId', 'attempts', 'tryAt', 'error', 'finishedAt']

export default {
  table: outboxDeliveries,
  unrecorded: Object.fromEntries(
    names.map((name) => [name, 'how the delivery goes; people decide on its state alone']),
  ),
}
