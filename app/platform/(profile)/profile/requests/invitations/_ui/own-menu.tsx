'use client'

import { X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { sends } from '@/components/form/actions'
import { RowActions } from '@/components/form/row-actions'
import { declineOwnInvitation, type OwnInvitation } from '@/lib/joining/received-invitations/contract'

/** What a person can do with an open invitation besides accepting it. */
export function OwnMenu({ invitation: { id, company, inviter }, name }: { invitation: OwnInvitation; name: string }) {
  const t = useTranslations('invitations')
  return (
    <RowActions
      row={name}
      actions={[
        {
          kind: 'confirm',
          label: t('decline'),
          icon: X,
          tone: 'danger',
          ask: { title: t('declineTitle', { company }), text: t('declineText', { inviter: inviter || t('somebody') }) },
          sends: sends(declineOwnInvitation, { params: { id } }),
        },
      ]}
    />
  )
}
