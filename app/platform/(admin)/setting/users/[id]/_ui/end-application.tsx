'use client'

import { Unplug } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import { sends } from '@/components/form/actions'

const contract = () =>
  import('@/lib/openid/applications-of-users/contract').then((calls) => calls.withdrawApplicationOfUser)

/** Withdraws an application's access to data of a person, after a question. */
export function EndApplication({ id, applicationId, name }: { id: string; applicationId: string; name: string }) {
  const t = useTranslations('users')
  return (
    <ActionButton
      name={`${t('endApplication')}: ${name}`}
      action={{
        kind: 'confirm',
        label: t('endApplication'),
        icon: Unplug,
        ask: { title: t('endApplicationTitle', { name }), text: t('endApplicationText'), tone: 'danger' },
        sends: sends(contract, { params: { id, applicationId } }),
      }}
    />
  )
}
