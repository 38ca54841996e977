'use client'

import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { CreateButton } from '@/components/form/create-button'
import { RowMenuLater } from '@/components/list/row-menu-later'
import type { AliasMenu } from './alias-actions'

export function CreateAlias() {
  const t = useTranslations('gallery.aliases')
  const form = () => import('./alias-actions').then(({ NewAlias }) => NewAlias)
  return <CreateButton label={t('create')} title={t('createTitle')} text={t('dialogText')} form={form} />
}

const menu = () => import('./alias-actions').then((part) => part.AliasMenu)

export function AliasRowMenu(props: ComponentProps<typeof AliasMenu>) {
  return <RowMenuLater row={props.name} menu={menu} of={props} />
}
