'use client'

import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { CreateButton } from '@/components/form/create-button'
import { SliceMenu } from '@/components/list/slice-parts'
import type { UserBlock } from '@/lib/accounts/user-table/fields'
import { NewUserFields } from './new-user-fields'
import type { UserMenu } from './user-menu'

const menu = () => import('./user-menu').then((part) => part.UserMenu)

/** The menu of a person's row. */
export const UserRowMenu = (props: ComponentProps<typeof UserMenu>) => <SliceMenu menu={menu} of={props} />

const form = () => import('./new-user').then((part) => part.NewUser)

/** The button that creates an account, with its dialog, which has the required fields of a new one. */
export function CreateUser({ fields }: { fields: UserBlock['fields'] }) {
  const t = useTranslations('users')
  return (
    <NewUserFields value={fields}>
      <CreateButton label={t('create')} title={t('createTitle')} text={t('createText')} form={form} />
    </NewUserFields>
  )
}
