'use client'

import { useRouter } from 'next/navigation'
import { startTransition, useState } from 'react'
import { keepChoice } from '../shell/browser-cookie'
import { Menu, MenuCheckboxItem, MenuContent, MenuTrigger } from '../ui/menu'
import { type Choosable, keptColumns } from './chosen-columns'
import { ColumnsButton } from './columns-button'

export type ColumnsProps = {
  /** The path of the list, for which the choice is kept. */
  path: string
  columns: readonly Choosable[]
}

/** Which columns a list shows. The choice is kept in this browser, for this list alone. */
export function ColumnsMenu({ path, columns }: ColumnsProps) {
  const router = useRouter()
  const [chosen, setChosen] = useState(columns)
  const choose = (name: string, shown: boolean) => {
    const next = chosen.map((column) => (column.name === name ? { ...column, shown } : column))
    setChosen(next)
    keepChoice('columns', keptColumns(next), path)
    startTransition(() => router.refresh())
  }
  return (
    <Menu modal={false} defaultOpen>
      <MenuTrigger asChild>
        <ColumnsButton />
      </MenuTrigger>
      <MenuContent align="start">
        {chosen.map(({ name, label, shown }) => (
          <MenuCheckboxItem key={name} checked={shown} onCheckedChange={(now) => choose(name, now)}>
            {label}
          </MenuCheckboxItem>
        ))}
      </MenuContent>
    </Menu>
  )
}
