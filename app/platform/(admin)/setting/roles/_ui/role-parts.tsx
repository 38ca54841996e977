'use client'

import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { CreateButton } from '@/components/form/create-button'
import { RowMenuLater } from '@/components/list/row-menu-later'
import type { RoleMenu } from './role-menu'

/** The button that makes a role, with its dialog. */
export function CreateRole() {
  const t = useTranslations('roles')
  const form = () => import('./role-form').then(({ NewRole }) => NewRole)
  return <CreateButton label={t('create')} title={t('createTitle')} text={t('dialogText')} form={form} />
}

const menu = () => import('./role-menu').then((part) => part.RoleMenu)

/** The menu of a role's row. */
export function RoleRowMenu(of: ComponentProps<typeof RoleMenu>) {
  return <RowMenuLater row={of.name} menu={menu} of={of} />
}
