'use client'

import { Eraser } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import { sends } from '@/components/form/actions'

const contract = () =>
  import('@/lib/account-administration/card-links/contract').then((calls) => calls.forgetUserBrowser)

/** Makes an account forget a browser, after a question. */
export function ForgetBrowser({ id, browserId, name }: { id: string; browserId: string; name: string }) {
  const t = useTranslations('users')
  return (
    <ActionButton
      name={`${t('forgetBrowser')}: ${name}`}
      action={{
        kind: 'confirm',
        label: t('forgetBrowser'),
        icon: Eraser,
        ask: { title: t('forgetBrowserTitle', { name }), text: t('forgetBrowserText'), tone: 'danger' },
        sends: sends(contract, { params: { id, browserId } }),
      }}
    />
  )
}
