import { choice, date, defineEntity, number, text } from '@/lib/base/audit/entity'
import { exportFields } from '@/lib/base/export/fields'
import { acceptanceStates } from './contract'

/** An export of the answers to a document: the document, the filters, and the number of rows exported. */
export const acceptanceExportEntity = defineEntity(
  'acceptances-export',
  {
    ...exportFields,
    document: text('document-campaigns.document'),
    search: text('document-campaigns.search'),
    state: choice('document-campaigns.state', acceptanceStates, 'document-campaigns.states'),
    version: number('document-campaigns.version'),
    dateFrom: date('document-campaigns.dateFrom'),
    dateTo: date('document-campaigns.dateTo'),
  },
  { area: 'users' },
)
