'use client'

import { RowActions } from '@/components/form/row-actions'
import type { ApplicationRow } from '@/lib/applications/applications/contract'
import { useApplicationActions } from './use-application-actions'

type Props = { application: ApplicationRow; name: string; href: string; mayWrite: boolean }

/** The actions for an application: to open its card, to show or hide it, to switch it, and to delete it. */
export function ApplicationMenu({ application, name, href, mayWrite }: Props) {
  const { menu, toggle, remove } = useApplicationActions(application, name)
  return (
    <RowActions
      row={name}
      actions={mayWrite ? [{ kind: 'card', href }, menu, toggle, remove] : [{ kind: 'card', href }]}
    />
  )
}
