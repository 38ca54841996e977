'use client'

import { Check } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import { later } from '@/components/ui/later'
import type { TermsRequired } from '@/lib/base/runtime/errors'
import type { OwnInvitation } from '@/lib/joining/received-invitations/contract'

const AcceptForm = later(() => import('./accept-form').then((part) => part.AcceptForm))

/** The button that accepts an invitation, after showing what it gives. */
export function AcceptOwn({ invitation, terms }: { invitation: OwnInvitation; terms: TermsRequired[] }) {
  const t = useTranslations('invitations')
  const { company, inviter } = invitation
  return (
    <ActionButton
      variant="primary"
      name={t('acceptNamed', { company })}
      action={{
        kind: 'dialog',
        label: t('accept'),
        icon: Check,
        size: 'S',
        title: t('acceptTitle', { company }),
        ...(inviter ? { text: t('acceptText', { inviter }) } : {}),
        body: (done) => <AcceptForm invitation={invitation} terms={terms} onDone={done} />,
      }}
    />
  )
}
