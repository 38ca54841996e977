'use client'

import { RowActions } from '@/components/form/row-actions'
import type { User } from '@/lib/accounts/administration/contract'
import { useUserActions } from './use-user-actions'

type Props = { user: User; name: string; href: string; mayWrite: boolean }

/** The actions on an account of the list; its card, to which `href` leads, has further ones. */
export function UserMenu({ user, name, href, mayWrite }: Props) {
  const { toggle, reset, end, link } = useUserActions(user, name)
  return (
    <RowActions
      row={name}
      actions={[{ kind: 'card', href }, ...(mayWrite ? [reset, link, end, 'separator' as const, toggle] : [])]}
    />
  )
}
