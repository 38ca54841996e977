'use client'

import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { CreateButton } from '@/components/form/create-button'
import { RowMenuLater } from '@/components/list/row-menu-later'
import type { ContractorMenu } from './contractor-menu'

/** The button that makes a contractor, with its dialog. */
export function CreateContractor() {
  const t = useTranslations('contractors')
  const form = () => import('./contractor-form').then(({ NewContractor }) => NewContractor)
  return <CreateButton label={t('create')} title={t('createTitle')} text={t('dialogText')} form={form} />
}

const menu = () => import('./contractor-menu').then((part) => part.ContractorMenu)

/** The menu of a contractor's row. */
export function ContractorRowMenu(of: ComponentProps<typeof ContractorMenu>) {
  return <RowMenuLater row={of.contractor.name} menu={menu} of={of} />
}
