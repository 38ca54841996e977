'use client'

import { Power, PowerOff } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import { sends } from '@/components/form/actions'
import type { NotifyMethod } from '@/lib/messaging/channels/contract'

const contract = () => import('@/lib/messaging/channels/contract').then((calls) => calls.enableNotifyMethod)

/** Enables or disables a notification channel, after a question. */
export function NotifyMethodSwitch({
  method: { id, enabled, updatedAt },
  name,
}: {
  method: NotifyMethod
  name: string
}) {
  const t = useTranslations('notify-methods')
  const label = t(enabled ? 'switchOff' : 'switchOn')
  return (
    <ActionButton
      name={`${label}: ${name}`}
      action={{
        kind: 'confirm',
        label,
        icon: enabled ? PowerOff : Power,
        ask: {
          title: t(enabled ? 'offTitle' : 'onTitle', { name }),
          text: t(enabled ? `offTexts.${id}` : 'onText'),
          tone: enabled ? 'danger' : 'primary',
        },
        sends: sends(
          contract,
          { params: { id }, body: { enabled: !enabled, updatedAt } },
          { params: { enabled: String(!enabled) } },
        ),
      }}
    />
  )
}
