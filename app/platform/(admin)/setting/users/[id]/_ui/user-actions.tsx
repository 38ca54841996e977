'use client'

import { useTranslations } from 'next-intl'
import { CardActions } from '@/components/card/card-actions'
import type { UserCard } from '@/lib/people/user-administration/contract'
import { useUserActions } from '../../_ui/use-user-actions'

/** What can be done with an account. */
export function UserActions({ user, name }: { user: UserCard; name: string }) {
  const t = useTranslations('users')
  const { reset, end, toggle } = useUserActions(user, name, user.allowed ? undefined : t('barred'))
  return <CardActions name={name} actions={user.enabled ? [reset, end, toggle] : [toggle, reset, end]} />
}
