'use client'

import { Unlock } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import { sends } from '@/components/form/actions'

const contract = () => import('@/lib/operations/account-limits/contract').then((calls) => calls.liftUserLimits)

/** Lets a person try passwords and codes again, after a question. */
export function LiftLimits({ id }: { id: string }) {
  const t = useTranslations('users')
  return (
    <ActionButton
      action={{
        kind: 'confirm',
        label: t('lift'),
        icon: Unlock,
        ask: { title: t('liftTitle'), text: t('liftText'), tone: 'primary' },
        sends: sends(contract, { params: { id } }),
      }}
    />
  )
}
