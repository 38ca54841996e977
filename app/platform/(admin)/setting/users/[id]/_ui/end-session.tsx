'use client'

import { LogOut } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import { sends } from '@/components/form/actions'

const contract = () => import('@/lib/sign-in/sessions-of-users/contract').then((calls) => calls.endUserSessions)

/** Ends one session of a person, after a question. */
export function EndSession({ id, sessionId, name }: { id: string; sessionId: string; name: string }) {
  const t = useTranslations('users')
  return (
    <ActionButton
      name={`${t('endOne')}: ${name}`}
      action={{
        kind: 'confirm',
        label: t('endOne'),
        icon: LogOut,
        ask: { title: t('endOneTitle', { name }), text: t('endOneText'), tone: 'danger' },
        sends: sends(contract, { params: { id }, query: { sessionId } }),
      }}
    />
  )
}
