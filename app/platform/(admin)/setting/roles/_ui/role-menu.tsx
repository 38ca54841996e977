'use client'

import { Columns2, Copy, ExternalLink } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { RowActions } from '@/components/form/row-actions'
import type { ListedRole } from '@/lib/people/roles/contract'
import { RoleCompare } from './role-compare'
import { CopyRole } from './role-form'
import { useRoleActions } from './use-role-actions'

type Props = { role: ListedRole; name: string; mayWrite: boolean }

/** What can be done with a role in the list: open, copy, compare, switch and delete it. */
export function RoleMenu({ role, name, mayWrite }: Props) {
  const t = useTranslations('roles')
  const router = useRouter()
  const { toggle, remove } = useRoleActions(role, name)
  return (
    <RowActions
      row={name}
      actions={[
        { kind: 'link', label: t('open'), icon: ExternalLink, href: `/platform/setting/roles/${role.id}` },
        mayWrite && {
          kind: 'dialog',
          label: t('copy'),
          icon: Copy,
          title: t('copyTitle', { name }),
          text: t('dialogText'),
          body: (done) => (
            <CopyRole
              id={role.id}
              onDone={(created) => {
                done()
                if (created?.id) router.push(`/platform/setting/roles/${created.id}`)
              }}
            />
          ),
        },
        {
          kind: 'dialog',
          label: t('compare'),
          icon: Columns2,
          size: 'L',
          title: t('compareTitle'),
          text: t('compareText'),
          body: () => <RoleCompare id={role.id} />,
        },
        mayWrite && toggle,
        mayWrite && remove,
      ]}
    />
  )
}
