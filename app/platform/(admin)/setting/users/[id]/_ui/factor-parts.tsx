'use client'

import { ShieldOff } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import { later } from '@/components/ui/later'

const ResetForm = later(() => import('./reset-factors').then((part) => part.ResetForm))

/** Removes the second factors of a person, after a reason for the history. */
export function ResetFactors({ id }: { id: string }) {
  const t = useTranslations('users.factors')
  return (
    <ActionButton
      action={{
        kind: 'dialog',
        label: t('reset'),
        icon: ShieldOff,
        tone: 'danger',
        title: t('resetTitle'),
        text: t('resetText'),
        size: 'S',
        body: (done) => <ResetForm id={id} onDone={done} />,
      }}
    />
  )
}
