'use client'

import { Merge, Trash2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { CardActions } from '@/components/card/card-actions'
import type { Action } from '@/components/form/actions'
import { later } from '@/components/ui/later'
import type { UserCard } from '@/lib/accounts/administration/contract'
import { useUserActions } from '../../_ui/use-user-actions'

const DeleteUser = later(() => import('./delete-user').then((part) => part.DeleteUser))
const MergeForm = later(() => import('./merge-form').then((part) => part.MergeForm))

/**
 * An action that isn't possible now is in the menu with its reason; as a button it would take the place of a possible
 * one.
 */
const possibleFirst = (actions: readonly Action[]) => [
  ...actions.filter(({ unavailable }) => !unavailable),
  ...actions.filter(({ unavailable }) => unavailable),
]

/** The actions on an account for people who may change it. */
export function UserActions({ user, name, own }: { user: UserCard; name: string; own: boolean }) {
  const t = useTranslations('users')
  const { reset, end, toggle, link } = useUserActions(user, name)
  // the first two are buttons: an account with a password needs no first link
  const helps = user.hasPassword || user.provider ? [reset, end, link] : [link, reset, end]
  const merge: Action = {
    kind: 'dialog',
    label: t('merge'),
    icon: Merge,
    title: t('mergeTitle', { name }),
    text: t('mergeText'),
    size: 'M',
    body: (done) => <Merging user={user} onDone={done} />,
  }
  return (
    <CardActions
      name={name}
      actions={[
        ...possibleFirst(user.enabled ? [...helps, merge, toggle] : [toggle, ...helps, merge]),
        {
          kind: 'dialog',
          label: t('delete'),
          icon: Trash2,
          tone: 'danger',
          size: 'S',
          ...(own ? { unavailable: t('ownAccountNote') } : {}),
          title: t('deleteTitle', { name }),
          text: t('deleteText'),
          body: () => <DeleteUser id={user.id} login={user.login} />,
        },
      ]}
    />
  )
}

function Merging({ user, onDone }: { user: UserCard; onDone: () => void }) {
  const router = useRouter()
  return (
    <MergeForm
      user={user}
      onDone={() => {
        onDone()
        router.refresh()
      }}
    />
  )
}
