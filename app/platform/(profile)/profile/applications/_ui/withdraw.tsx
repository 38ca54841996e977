'use client'

import { Unplug } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import { sends } from '@/components/form/actions'

const load = () => import('@/lib/openid/consents/contract').then((calls) => calls.withdrawUserApplication)

/** Withdraws an application's access after a confirmation. `own`: the application gets access again without consent. */
export function Withdraw({ id, application, own }: { id: string; application: string; own: boolean }) {
  const t = useTranslations('user-applications')
  return (
    <ActionButton
      name={t('withdrawNamed', { application })}
      action={{
        kind: 'confirm',
        label: t('withdraw'),
        icon: Unplug,
        tone: 'danger',
        ask: { title: t('withdrawTitle', { application }), text: t(own ? 'withdrawOwnText' : 'withdrawText') },
        sends: sends(load, { params: { applicationId: id } }),
      }}
    />
  )
}
