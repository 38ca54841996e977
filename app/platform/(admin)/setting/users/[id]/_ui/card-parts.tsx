'use client'

import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { EditableGroup } from '@/components/card/editable-group'
import type { UserCard } from '@/lib/accounts/administration/contract'
import type { UserBlock } from '@/lib/accounts/user-table/fields'

type Props = { user: UserCard; mayEdit: boolean; children: ReactNode }

const valuesForm = () => import('./values-form').then((part) => part.ValuesForm)
const accessForm = () => import('./access-form').then((part) => part.AccessForm)
const rolesForm = () => import('./roles-form').then((part) => part.RolesForm)
const contractorsForm = () => import('./contractors-form').then((part) => part.ContractorsForm)

/** A block of fields, edited in place. */
export function BlockGroup({ user, block, mayEdit, children, note }: Props & { block: UserBlock; note?: ReactNode }) {
  return (
    <EditableGroup title={block.title} note={note} form={valuesForm} of={{ user, block }} mayEdit={mayEdit}>
      {children}
    </EditableGroup>
  )
}

/** How a person signs in, edited in place. */
export function AccessGroup({
  user,
  schemas,
  mayEdit,
  children,
}: Props & { schemas: readonly { id: string; name: string }[] }) {
  const t = useTranslations('users')
  return (
    <EditableGroup title={t('signIn')} form={accessForm} of={{ user, schemas }} mayEdit={mayEdit}>
      {children}
    </EditableGroup>
  )
}

/** The roles with their places, edited in place. */
export function RolesGroup({ user, mayEdit, children }: Props) {
  const t = useTranslations('users')
  const note = user.more ? t('moreNote') : null
  return (
    <EditableGroup title={t('roles')} note={note} form={rolesForm} of={{ user }} mayEdit={mayEdit && !user.more}>
      {children}
    </EditableGroup>
  )
}

/** The contractors, edited in place. */
export function ContractorsGroup({ user, mayEdit, children }: Props) {
  const t = useTranslations('users')
  return (
    <EditableGroup title={t('contractors')} form={contractorsForm} of={{ user }} mayEdit={mayEdit && !user.more}>
      {children}
    </EditableGroup>
  )
}
