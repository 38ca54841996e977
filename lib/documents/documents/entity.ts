import { choice, defineEntity, number, records, reference, text, yesNo } from '@/lib/base/audit/entity'
import type { DocumentText } from './contract'

export const documentEntity = defineEntity(
  'documents',
  {
    enabled: yesNo('documents.enabled'),
    code: text('documents.code'),
    type: choice('documents.type', ['agreement', 'document'], 'documents.types'),
    adminVisible: yesNo('documents.adminVisible'),
    format: choice('documents.format', ['md', 'html'], 'documents.formats'),
    version: number('documents.version'),
    locales: records<DocumentText>('documents.texts', 'localeId', {
      localeId: reference('documents.languages', 'locales'),
      name: text('documents.name'),
      linkName: text('documents.linkName'),
      content: text('documents.content'),
    }),
    /** The number of people that were reminded of it. */
    reminded: number('documents.reminded'),
  },
  { area: 'libraries' },
)
