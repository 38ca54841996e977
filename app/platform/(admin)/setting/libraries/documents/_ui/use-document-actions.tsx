'use client'

import { useTranslations } from 'next-intl'
import type { Action } from '@/components/form/actions'
import { later } from '@/components/ui/later'
import type { DocumentRow } from '@/lib/documents/documents/contract'

const calls = () => import('@/lib/documents/documents/contract')
const EditDocument = later(() => import('./document-form').then((part) => part.EditDocument))

/** Actions on a document that the list and its card share: to edit, open or hide, and delete it. */
export function useDocumentActions(document: DocumentRow): Record<'edit' | 'toggle' | 'remove', Action> {
  const t = useTranslations('documents')
  const { id, name, code, enabled, updatedAt, domainsCount: count } = document
  return {
    edit: {
      kind: 'edit',
      title: t('editTitle', { name }),
      form: (done) => <EditDocument id={id} onDone={done} />,
    },
    toggle: {
      kind: 'toggle',
      contract: () => calls().then(({ enableDocument }) => enableDocument),
      id,
      enabled,
      updatedAt,
      ask: {
        on: { title: t('openTitle', { name }), text: t('openText', { code }), tone: 'primary' },
        off: { title: t('hideTitle', { name }), text: t('hideText', { count }), tone: 'danger' },
      },
    },
    remove: {
      kind: 'remove',
      contract: () => calls().then(({ deleteDocument }) => deleteDocument),
      id,
      title: t('deleteTitle', { name }),
      text: t('deleteText'),
      blocked: count > 0 ? { title: t('keepTitle', { name }), text: t('keepText', { count }) } : undefined,
    },
  }
}
