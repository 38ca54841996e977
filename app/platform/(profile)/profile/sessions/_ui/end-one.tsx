'use client'

import { LogOut } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import { sends } from '@/components/form/actions'

const load = () => import('@/lib/sign-in/own-sessions/contract').then((calls) => calls.endSession)

/** Ends one session after a confirmation; `device` is the name of its device. */
export function EndOne({ id, device }: { id: string; device: string }) {
  const t = useTranslations('sessions')
  return (
    <ActionButton
      name={t('endNamed', { device })}
      action={{
        kind: 'confirm',
        label: t('end'),
        icon: LogOut,
        tone: 'danger',
        ask: { title: t('endTitle', { device }), text: t('endText') },
        sends: sends(load, { params: { sessionId: id } }),
      }}
    />
  )
}
