'use client'

import { CirclePlay } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type Action, sends } from '@/components/form/actions'
import { useErrorText } from '@/components/form/use-error-text'
import type { IntegrationSync } from '@/lib/exchanges/exchanges/contract'

const calls = () => import('@/lib/exchanges/exchanges/contract')

/** Actions on an exchange that the list and its card share. */
export function useSyncActions(sync: IntegrationSync, name: string): Record<'start' | 'toggle', Action> {
  const t = useTranslations('integration')
  const errorText = useErrorText()
  const { id, enabled, url, updatedAt, details } = sync
  const unavailableReason = details.startBarred
  return {
    start: {
      kind: 'call',
      label: t('start'),
      icon: CirclePlay,
      ...(unavailableReason ? { unavailable: errorText(unavailableReason) } : {}),
      sends: sends(() => calls().then((contracts) => contracts.startIntegrationSync), { params: { id } }),
    },
    toggle: {
      kind: 'toggle',
      contract: () => calls().then((contracts) => contracts.enableIntegrationSync),
      id,
      enabled,
      updatedAt,
      ...(!enabled && url === '' ? { unavailable: errorText('integrationUnset') } : {}),
      ask: {
        on: { title: t('onTitle', { name }), text: t('onText'), tone: 'primary' },
        off: { title: t('offTitle', { name }), text: t('offText'), tone: 'danger' },
      },
    },
  }
}
