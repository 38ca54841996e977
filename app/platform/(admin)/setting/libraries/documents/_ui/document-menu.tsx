'use client'

import { useTranslations } from 'next-intl'
import { RowActions } from '@/components/form/row-actions'
import { type DocumentRow, deleteDocument, enableDocument } from '@/lib/platform/documents/contract'
import { EditDocument } from './document-form'

/** The actions for a document: edit, open or hide, and delete it. */
export function DocumentMenu({ document, name }: { document: DocumentRow; name: string }) {
  const t = useTranslations('documents')
  const { id, code, enabled, updatedAt, domainsCount: count } = document
  return (
    <RowActions
      row={name}
      actions={[
        {
          kind: 'edit',
          title: t('editTitle', { name }),
          form: (done) => <EditDocument id={id} onDone={done} />,
        },
        {
          kind: 'toggle',
          contract: enableDocument,
          id,
          enabled,
          updatedAt,
          ask: {
            on: { title: t('openTitle', { name }), text: t('openText', { code }), tone: 'primary' },
            off: { title: t('hideTitle', { name }), text: t('hideText', { count }), tone: 'danger' },
          },
        },
        {
          kind: 'remove',
          contract: deleteDocument,
          id,
          title: t('deleteTitle', { name }),
          text: t('deleteText'),
          kept: count > 0 ? { title: t('keepTitle', { name }), text: t('keepText', { count }) } : undefined,
        },
      ]}
    />
  )
}
