'use client'

import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { CreateButton } from '@/components/form/create-button'
import { RowMenuLater } from '@/components/list/row-menu-later'
import type { OrganizationMenu } from './organization-menu'

/** The button that makes an organization, with its dialog. */
export function CreateOrganization() {
  const t = useTranslations('organizations')
  const form = () => import('./organization-form').then(({ NewOrganization }) => NewOrganization)
  return <CreateButton label={t('create')} title={t('createTitle')} text={t('createText')} form={form} />
}

const menu = () => import('./organization-menu').then((part) => part.OrganizationMenu)

/** The menu of an organization's row. */
export function OrganizationRowMenu(of: ComponentProps<typeof OrganizationMenu>) {
  return <RowMenuLater row={of.name} menu={menu} of={of} />
}
