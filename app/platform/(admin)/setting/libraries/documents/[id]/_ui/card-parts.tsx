'use client'

import { CardActions } from '@/components/card/card-actions'
import type { DocumentRow } from '@/lib/documents/documents/contract'
import { useDocumentActions } from '../../_ui/use-document-actions'

/** The actions on the document of a card. */
export function DocumentActions({ document }: { document: DocumentRow }) {
  const { edit, toggle, remove } = useDocumentActions(document)
  return <CardActions name={document.name} actions={[edit, toggle, remove]} />
}
