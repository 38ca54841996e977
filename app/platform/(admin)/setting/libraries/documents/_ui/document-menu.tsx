'use client'

import { RowActions } from '@/components/form/row-actions'
import { cardPath } from '@/lib/base/navigation/screens'
import type { DocumentRow } from '@/lib/documents/documents/contract'
import { useDocumentActions } from './use-document-actions'

/** The actions for a document: its card, edit, open or hide, and delete it. */
export function DocumentMenu({ document, name }: { document: DocumentRow; name: string }) {
  const { edit, toggle, remove } = useDocumentActions(document)
  const href = cardPath('PlatformLibrariesDocument', document.id)
  return <RowActions row={name} actions={[{ kind: 'card', href }, edit, toggle, remove]} />
}
