'use client'

import type { ComponentType } from 'react'
import { RowMenuButton } from '../ui/row-menu-button'
import { useKeptFocus } from '../ui/use-kept-focus'
import { AskedContext, useLater } from '../ui/use-later'

type Props<P> = {
  /** What the row is known by. */
  row: string
  /** Loads the slice's menu, which holds RowActions. */
  menu: () => Promise<ComponentType<P>>
  /** What the menu takes. */
  of: P
}

/** The menu of a row, which loads with its first use: until then a row has the button alone. */
export function RowMenuLater<P extends object>({ row, menu, of }: Props<P>) {
  const { Part, asked, wake } = useLater(menu)
  const kept = useKeptFocus<HTMLButtonElement>()
  if (!Part) return <RowMenuButton ref={kept} row={row} {...wake} />
  return (
    <AskedContext value={asked}>
      <Part {...of} />
    </AskedContext>
  )
}
