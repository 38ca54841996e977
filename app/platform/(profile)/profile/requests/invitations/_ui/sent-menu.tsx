'use client'

import { Send, Undo2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { sends } from '@/components/form/actions'
import { RowActions } from '@/components/form/row-actions'
import { resendInvitation, revokeInvitation, type SentInvitation } from '@/lib/joining/sent-invitations/contract'

/** Milliseconds after a mail in which the call sends no other. */
const justSent = 60_000

/** What a manager can do with an unanswered invitation. */
export function SentMenu({
  invitation: { id, email, contractor, sentAt },
  name,
}: {
  invitation: SentInvitation
  name: string
}) {
  const t = useTranslations('invitations')
  const company = contractor.name
  const wait = Date.now() - Date.parse(sentAt) < justSent
  return (
    <RowActions
      row={name}
      actions={[
        {
          kind: 'call',
          label: t('resend'),
          icon: Send,
          ...(wait ? { unavailable: t('justSent') } : {}),
          sends: sends(resendInvitation, { params: { id } }),
        },
        {
          kind: 'confirm',
          label: t('revoke'),
          icon: Undo2,
          tone: 'danger',
          ask: { title: t('revokeTitle', { email, company }), text: t('revokeText') },
          sends: sends(revokeInvitation, { params: { id } }),
        },
      ]}
    />
  )
}
