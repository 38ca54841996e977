'use client'

import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { CreateButton } from '@/components/form/create-button'
import { SliceMenu } from '@/components/list/slice-parts'
import type { BlockMenu } from './block-menu'
import type { FieldMenu } from './field-menu'
import type { TabMenu } from './tab-menu'

const newField = () => import('./field-form').then((part) => part.NewField)
const newTab = () => import('./tab-form').then((part) => part.NewTab)
const newBlock = () => import('./block-form').then((part) => part.NewBlock)
const blockMenu = () => import('./block-menu').then((part) => part.BlockMenu)
const fieldMenu = () => import('./field-menu').then((part) => part.FieldMenu)
const tabMenu = () => import('./tab-menu').then((part) => part.TabMenu)

/** The button that creates a field, with its dialog. */
export function CreateField() {
  const t = useTranslations('dynamic-fields')
  return <CreateButton size="L" label={t('create')} title={t('createTitle')} form={newField} />
}

/** The button that creates a tab, with its dialog. */
export function CreateTab() {
  const t = useTranslations('dynamic-fields')
  return <CreateButton label={t('createTab')} title={t('createTabTitle')} form={newTab} />
}

/** The button that creates a block, with its dialog. */
export function CreateBlock() {
  const t = useTranslations('dynamic-fields')
  return <CreateButton aside label={t('createBlock')} title={t('createBlockTitle')} form={newBlock} />
}

/** The menu of a block. */
export const BlockRowMenu = (of: ComponentProps<typeof BlockMenu>) => <SliceMenu menu={blockMenu} of={of} />

/** The menu of a field's row. */
export const FieldRowMenu = (of: ComponentProps<typeof FieldMenu>) => <SliceMenu menu={fieldMenu} of={of} />

/** The menu of a tab's row. */
export const TabRowMenu = (of: ComponentProps<typeof TabMenu>) => <SliceMenu menu={tabMenu} of={of} />
