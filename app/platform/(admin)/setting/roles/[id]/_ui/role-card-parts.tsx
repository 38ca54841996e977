'use client'

import { Columns2, Copy } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { ComponentProps, ReactNode } from 'react'
import { CardActions } from '@/components/card/card-actions'
import { EditableGroup } from '@/components/card/editable-group'
import type { Role } from '@/lib/people/roles/contract'
import { useRoleActions } from '../../_ui/use-role-actions'
import type { EditMethods, EditRole } from './role-groups'

const CopyRole = dynamic(() => import('../../_ui/role-form').then((part) => part.CopyRole))
const RoleCompare = dynamic(() => import('../../_ui/role-compare').then((part) => part.RoleCompare))

/** What can be done with a role on its own page. */
export function RoleCardActions({ role, name }: { role: Role; name: string }) {
  const t = useTranslations('roles')
  const router = useRouter()
  const { toggle, remove } = useRoleActions(role, name)
  return (
    <CardActions
      name={name}
      actions={[
        toggle,
        {
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
        remove,
      ]}
    />
  )
}

type Group<P> = { of: Omit<P, 'onDone'>; children: ReactNode }

/** What a role is called, edited in place. */
export function NamesGroup({ of, children }: Group<ComponentProps<typeof EditRole>>) {
  const t = useTranslations('roles')
  return (
    <EditableGroup title={t('about')} form={() => import('./role-groups').then((part) => part.EditRole)} of={of}>
      {children}
    </EditableGroup>
  )
}

/** The methods of a role, edited in place. */
export function MethodsGroup({ of, children }: Group<ComponentProps<typeof EditMethods>>) {
  const t = useTranslations('roles')
  return (
    <EditableGroup title={t('methods')} form={() => import('./role-groups').then((part) => part.EditMethods)} of={of}>
      {children}
    </EditableGroup>
  )
}
