'use client'

import { Upload } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import { later } from '@/components/ui/later'

const FromFileDialog = later(() => import('./from-file-dialog').then((part) => part.FromFileDialog))

/** The most invitations of one list, as the call counts them. */
const most = 5_000

/**
 * The button that invites many people by a list or a CSV file. Its page passes the texts `invitation-import` and
 * `runs`.
 */
export function InviteFromFile() {
  const t = useTranslations('invitation-import')
  return (
    <ActionButton
      size="M"
      action={{
        kind: 'dialog',
        label: t('open'),
        icon: Upload,
        size: 'L',
        title: t('title'),
        text: t('lead', { max: most }),
        body: () => <FromFileDialog />,
      }}
    />
  )
}
