'use client'

import { type Messages, useTranslations } from 'next-intl'
import type { ComponentProps, ComponentType } from 'react'
import { CreateButton } from '../form/create-button'
import { RowMenuLater } from './row-menu-later'

type Texts = { [N in keyof Messages]: Messages[N] extends { create: string; createTitle: string } ? N : never }
type CreateProps = { texts: Texts[keyof Texts]; form: ComponentProps<typeof CreateButton>['form'] }

/**
 * The button that creates a record of a module. Its texts are `create`, `createTitle` and, if it exists, `dialogText`
 * of the module. The form is loaded when it is first used.
 */
export function SliceCreate({ texts, form }: CreateProps) {
  const t = useTranslations(texts as 'network-aliases')
  const text = t.has('dialogText') ? t('dialogText') : undefined
  return <CreateButton label={t('create')} title={t('createTitle')} text={text} form={form} />
}

type MenuProps<P> = { menu: () => Promise<ComponentType<P>>; of: P }

/** The menu of a module's row, which is loaded when it is first used; `name` is the row's name for screen readers. */
export const SliceMenu = <P extends { name: string }>({ menu, of }: MenuProps<P>) => (
  <RowMenuLater row={of.name} menu={menu} of={of} />
)
