'use client'

import { type ReactNode, useLayoutEffect } from 'react'
import { Menu, MenuContent, MenuTrigger } from './menu'
import { RowMenuButton } from './row-menu-button'
import { useKeptFocus } from './use-kept-focus'
import { useAskedBy } from './use-later'

/** The menu at the end of a row; `row` is the name of the row. It contains MenuItem and MenuLink. */
export function RowMenu({ row, children }: { row: string; children: ReactNode }) {
  const focusRef = useKeptFocus<HTMLButtonElement>()
  const askedBy = useAskedBy()
  useLayoutEffect(() => {
    // it replaces the button that loaded it, which had the focus
    if (askedBy) focusRef.current?.focus()
  }, [askedBy, focusRef])
  return (
    <Menu modal={false} defaultOpen={askedBy !== null}>
      <MenuTrigger asChild>
        <RowMenuButton ref={focusRef} row={row} />
      </MenuTrigger>
      <MenuContent align="end">{children}</MenuContent>
    </Menu>
  )
}
