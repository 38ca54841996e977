'use client'

import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { CreateButton } from '@/components/form/create-button'
import { RowMenuLater } from '@/components/list/row-menu-later'
import type { AliasMenu } from './alias-menu'

/** The button that makes an alias, with its dialog. */
export function CreateAlias() {
  const t = useTranslations('network-aliases')
  const form = () => import('./alias-form').then(({ NewAlias }) => NewAlias)
  return <CreateButton label={t('create')} title={t('createTitle')} text={t('dialogText')} form={form} />
}

const menu = () => import('./alias-menu').then((part) => part.AliasMenu)

/** The menu of an alias's row. */
export function AliasRowMenu(of: ComponentProps<typeof AliasMenu>) {
  return <RowMenuLater row={of.alias.name} menu={menu} of={of} />
}
