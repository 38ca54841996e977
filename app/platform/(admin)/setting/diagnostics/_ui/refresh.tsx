'use client'

import { RefreshCw } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import { sends } from '@/components/form/actions'

const refresh = () => import('@/lib/operations/diagnostics/contract').then((calls) => calls.refreshVersions)

/** Reads all versions now. */
export function RefreshVersions() {
  const t = useTranslations('diagnostics')
  return (
    <ActionButton
      variant="primary"
      size="M"
      action={{ kind: 'call', label: t('refresh'), icon: RefreshCw, sends: sends(refresh, { query: {} }) }}
    />
  )
}
