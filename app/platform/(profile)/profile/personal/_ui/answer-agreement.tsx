'use client'

import { Check, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import { sends } from '@/components/form/actions'
import type { ProfileDetails } from '@/lib/my-account/personal/contract'

const load = () => import('@/lib/my-account/agreements/contract').then((calls) => calls.setAgreement)

/** Accepts an agreement, or withdraws the consent after a question. */
export function AnswerAgreement({ term }: { term: ProfileDetails['termsInfo'][number] }) {
  const t = useTranslations('profile.agreements')
  const { id, version, title, status } = term
  const answer = (agree: boolean) =>
    sends(load, { params: { id }, body: { agree, version } }, { params: { agree: String(agree) } })
  if (status !== 'received')
    return (
      <ActionButton
        name={t('agreeNamed', { title })}
        action={{ kind: 'call', label: t('agree'), icon: Check, sends: answer(true) }}
      />
    )
  return (
    <ActionButton
      name={t('refuseNamed', { title })}
      action={{
        kind: 'confirm',
        label: t('refuse'),
        icon: X,
        tone: 'danger',
        ask: { title: t('refuseTitle', { title }), text: t('refuseText'), tone: 'danger' },
        sends: answer(false),
      }}
    />
  )
}
