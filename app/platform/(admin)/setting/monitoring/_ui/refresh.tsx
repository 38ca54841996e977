'use client'

import { RefreshCw } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import { sends } from '@/components/form/actions'

const refresh = () => import('@/lib/operations/monitoring/contract').then((calls) => calls.refreshMonitoring)

/** Checks everything now. */
export function RefreshMonitoring() {
  const t = useTranslations('monitoring')
  return (
    <ActionButton
      variant="primary"
      size="M"
      action={{ kind: 'call', label: t('refresh'), icon: RefreshCw, sends: sends(refresh, {}) }}
    />
  )
}
