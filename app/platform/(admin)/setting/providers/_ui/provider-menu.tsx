'use client'

import { RowActions } from '@/components/form/row-actions'
import type { Provider } from '@/lib/directory-sync/providers/contract'
import { useProviderActions } from './use-provider-actions'

type Props = { provider: Provider; name: string; href: string; mayWrite: boolean }

/** The actions for a directory: to open its card, to enable or disable it, and to delete it. */
export function ProviderMenu({ provider, name, href, mayWrite }: Props) {
  const { toggle, remove } = useProviderActions(provider)
  return (
    <RowActions row={name} actions={mayWrite ? [{ kind: 'card', href }, toggle, remove] : [{ kind: 'card', href }]} />
  )
}
