'use client'

import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { startTransition, useState } from 'react'
import { call } from '@/lib/base/http/client'
import type { patchUserSettings } from '@/lib/my-account/settings/contract'
import { Menu, MenuCheckboxItem, MenuContent, MenuTrigger } from '../ui/menu'
import { snackbar } from '../ui/snackbar'
import type { Choosable } from './chosen-columns'
import { ColumnsButton } from './columns-button'

export type ColumnsProps = {
  /** The list, by the name of its screen. */
  list: string
  columns: readonly Choosable[]
}

/**
 * The menu of a list's columns. Each choice is stored at once in the person's settings, as one column, so that the
 * choices of other columns in another tab stay (docs/rules/administration-screens.md#columns).
 */
export function ColumnsMenu({ list, columns }: ColumnsProps) {
  const router = useRouter()
  const t = useTranslations('snackbar')
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({})
  const choose = async (name: string, shown: boolean) => {
    const set = (visible: boolean) => setChosen((before) => ({ ...before, [name]: visible }))
    set(shown)
    try {
      await call<typeof patchUserSettings>(
        { method: 'PATCH', path: '/users/settings' },
        { body: { settings: { columns: { [list]: { [name]: shown } } } } },
      )
      startTransition(() => router.refresh())
    } catch {
      set(!shown)
      await snackbar.error(t('userSettingsError'))
    }
  }
  return (
    <Menu modal={false} defaultOpen>
      <MenuTrigger asChild>
        <ColumnsButton />
      </MenuTrigger>
      <MenuContent align="start">
        {columns.map(({ name, label, shown }) => (
          <MenuCheckboxItem
            key={name}
            checked={chosen[name] ?? shown}
            onCheckedChange={(visible) => choose(name, visible)}
          >
            {label}
          </MenuCheckboxItem>
        ))}
      </MenuContent>
    </Menu>
  )
}
