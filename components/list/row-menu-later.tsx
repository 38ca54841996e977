'use client'

import type { ComponentType } from 'react'
import { RowMenuButton } from '../ui/row-menu-button'
import { useKeptFocus } from '../ui/use-kept-focus'
import { AskedByContext, useLater } from '../ui/use-later'

type Props<P> = {
  /** The name of the row, for screen readers. */
  row: string
  /** Loads the module's menu, a component that renders RowActions. */
  menu: () => Promise<ComponentType<P>>
  /** The menu's props. */
  of: P
}

/** The menu of a row, which is loaded when it is first used; before, the row has only the button. */
export function RowMenuLater<P extends object>({ row, menu, of }: Props<P>) {
  const { Part, asked, wake } = useLater(menu)
  const focusRef = useKeptFocus<HTMLButtonElement>()
  if (!Part) return <RowMenuButton ref={focusRef} row={row} {...wake} />
  return (
    <AskedByContext value={asked}>
      <Part {...of} />
    </AskedByContext>
  )
}
