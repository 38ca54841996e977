import { accessListEntries } from '@/db/schema'

const later = 'no verb writes it so far'

export default {
  table: accessListEntries,
  unrecorded: { list: later, ip: later, aliasId: later, dateFrom: later, dateTo: later, comment: later },
}
