'use client'

import { useTranslations } from 'next-intl'
import type { ComponentProps, ReactNode } from 'react'
import { CardActions } from '@/components/card/card-actions'
import { EditableGroup } from '@/components/card/editable-group'
import type { Role } from '@/lib/access/roles/contract'
import { useRoleActions } from '../../_ui/use-role-actions'
import type { EditMethods, EditRole } from './role-groups'

/** The actions on a role on its own page. */
export function RoleCardActions({ role, name }: { role: Role; name: string }) {
  const { copy, compare, toggle, remove } = useRoleActions(role, name)
  return <CardActions name={name} actions={[toggle, copy, compare, remove]} />
}

type Group<P> = { of: Omit<P, 'onDone'>; mayEdit: boolean; children: ReactNode }

/** The name and type of a role, edited in place. */
export function NamesGroup({ of, mayEdit, children }: Group<ComponentProps<typeof EditRole>>) {
  const t = useTranslations('roles')
  return (
    <EditableGroup
      title={t('about')}
      form={() => import('./role-groups').then((part) => part.EditRole)}
      of={of}
      mayEdit={mayEdit}
    >
      {children}
    </EditableGroup>
  )
}

type MethodsProps = Group<ComponentProps<typeof EditMethods>> & { note: ReactNode }

/** The methods of a role, edited in place. */
export function MethodsGroup({ of, note, mayEdit, children }: MethodsProps) {
  const t = useTranslations('roles')
  return (
    <EditableGroup
      title={t('methods')}
      note={note}
      form={() => import('./role-groups').then((part) => part.EditMethods)}
      of={of}
      mayEdit={mayEdit}
    >
      {children}
    </EditableGroup>
  )
}
