'use client'

import { type ReactNode, useLayoutEffect } from 'react'
import { Menu, MenuContent, MenuTrigger } from './menu'
import { RowMenuButton } from './row-menu-button'
import { useKeptFocus } from './use-kept-focus'
import { useAsked } from './use-later'

/** The menu at the end of a row; `row` is the name of the row. It contains MenuItem and MenuLink. */
export function RowMenu({ row, children }: { row: string; children: ReactNode }) {
  const kept = useKeptFocus<HTMLButtonElement>()
  const asked = useAsked()
  useLayoutEffect(() => {
    // it replaces the button that loaded it, which had the focus
    if (asked) kept.current?.focus()
  }, [asked, kept])
  return (
    <Menu modal={false} defaultOpen={asked !== null}>
      <MenuTrigger asChild>
        <RowMenuButton ref={kept} row={row} />
      </MenuTrigger>
      <MenuContent align="end">{children}</MenuContent>
    </Menu>
  )
}
