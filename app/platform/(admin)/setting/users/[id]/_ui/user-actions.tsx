'use client'

import { Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { CardActions } from '@/components/card/card-actions'
import type { UserCard } from '@/lib/people/user-administration/contract'
import { useUserActions } from '../../_ui/use-user-actions'
import { DeleteUser } from './delete-user'

/** What can be done with an account. */
export function UserActions({ user, name, own }: { user: UserCard; name: string; own: boolean }) {
  const t = useTranslations('users')
  const barred = user.allowed ? undefined : t('barred')
  const { reset, end, toggle, link } = useUserActions(user, name, barred)
  const unavailable = barred ?? (own ? t('ownAccountNote') : undefined)
  const first = user.hasPassword || user.provider ? [reset, link] : [link, reset]
  return (
    <CardActions
      name={name}
      actions={[
        ...(user.enabled ? [...first, end, toggle] : [toggle, ...first, end]),
        {
          kind: 'dialog',
          label: t('delete'),
          icon: Trash2,
          tone: 'danger',
          size: 'S',
          ...(unavailable ? { unavailable } : {}),
          title: t('deleteTitle', { name }),
          text: t('deleteText'),
          body: () => <DeleteUser id={user.id} login={user.login} />,
        },
      ]}
    />
  )
}
