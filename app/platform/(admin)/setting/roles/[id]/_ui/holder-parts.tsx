'use client'

import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { CreateButton } from '@/components/form/create-button'
import { RowMenuLater } from '@/components/list/row-menu-later'
import type { RoleType } from '@/lib/access/roles/contract'
import type { HolderMenu } from './holder-menu'

/** The button that gives a role to people, with its dialog. */
export function GiveRole({ role, name }: { role: { id: string; roleType: RoleType }; name: string }) {
  const t = useTranslations('roles')
  const form = () =>
    import('./give-form').then(({ GiveForm }) => ({ onDone }: { onDone: () => void }) => (
      <GiveForm role={role} onDone={() => onDone()} />
    ))
  return <CreateButton label={t('give')} title={t('giveTitle', { name })} text={t('giveText')} form={form} />
}

const menu = () => import('./holder-menu').then((part) => part.HolderMenu)

/** The menu of a holder's row. */
export function HolderRowMenu(props: ComponentProps<typeof HolderMenu>) {
  return <RowMenuLater row={props.person} menu={menu} of={props} />
}
