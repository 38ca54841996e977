'use client'

import { RowActions } from '@/components/form/row-actions'
import type { IntegrationSync } from '@/lib/exchanges/exchanges/contract'
import { useSyncActions } from './use-sync-actions'

type Props = { sync: IntegrationSync; name: string; href: string; mayWrite: boolean }

/** The actions for an exchange: to open its card, to start it, and to enable or disable it. */
export function SyncMenu({ sync, name, href, mayWrite }: Props) {
  const { start, toggle } = useSyncActions(sync, name)
  const card = { kind: 'card', href } as const
  return <RowActions row={name} actions={mayWrite ? [card, start, toggle] : [card]} />
}
