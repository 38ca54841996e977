'use client'

import { RowActions } from '@/components/form/row-actions'
import type { ListedRole } from '@/lib/access/roles/contract'
import { useRoleActions } from './use-role-actions'

type Props = { role: ListedRole; name: string; href: string; mayWrite: boolean }

/**
 * The actions on a role in the list: open its card, to which `href` leads, copy, compare, enable, disable and delete
 * it.
 */
export function RoleMenu({ role, name, href, mayWrite }: Props) {
  const { copy, compare, toggle, remove } = useRoleActions(role, name)
  return (
    <RowActions
      row={name}
      actions={[{ kind: 'card', href }, mayWrite && copy, compare, mayWrite && toggle, mayWrite && remove]}
    />
  )
}
