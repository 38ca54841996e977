'use client'

import { Unlock } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import { sends } from '@/components/form/actions'

const contract = () => import('@/lib/operations/address-limits/contract').then((calls) => calls.liftAddressLimits)

/** Lifts the limits that have stopped an address, after a question. */
export function LiftAddress({ ip }: { ip: string }) {
  const t = useTranslations('address-limits')
  return (
    <ActionButton
      name={t('liftName', { ip })}
      action={{
        kind: 'confirm',
        label: t('lift'),
        icon: Unlock,
        ask: { title: t('liftTitle', { ip }), text: t('liftText'), tone: 'primary' },
        sends: sends(contract, { query: { ip } }),
      }}
    />
  )
}
