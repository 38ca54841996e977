import { date, defineEntity, list, text } from '@/lib/base/audit/entity'
import { exportFields } from '@/lib/base/export/fields'

/** An export of the history: its filters, and the number of rows exported. */
export const historyExportEntity = defineEntity(
  'history-export',
  {
    ...exportFields,
    search: text('whole-history.search'),
    param: text('whole-history.param'),
    dateFrom: date('whole-history.dateFrom'),
    dateTo: date('whole-history.dateTo'),
    changer: text('whole-history.who'),
    entity: list<string>('whole-history.object'),
    subtype: text('whole-history.subtype'),
    ip: text('whole-history.ip'),
    type: list<string>('whole-history.type'),
  },
  { area: 'history' },
)
