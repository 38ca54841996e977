'use client'

import Link from 'next/link'
import { Fragment, type ReactNode, useLayoutEffect } from 'react'
import { Menu, MenuContent, MenuItem, MenuLink, MenuNote, MenuSeparator, MenuTrigger } from '../ui/menu'
import { RowMenuButton } from '../ui/row-menu-button'
import { useKeptFocus } from '../ui/use-kept-focus'
import { useAskedBy } from '../ui/use-later'
import { type Action, type ActionList, groupsOf } from './actions'
import { useActions } from './use-action'

/** The menu at the end of a row; `row` is the name of the row. It contains MenuItem and MenuLink. */
function RowMenu({ row, children }: { row: string; children: ReactNode }) {
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

type Props = {
  /** The title of the row. */
  row: string
  actions: ActionList
}

/** The menu of a row with its actions; those that can't be undone are last. Renders nothing without actions. */
export function RowActions({ row, actions }: Props) {
  const { offerOf, begin, dialog } = useActions()
  const groups = groupsOf(actions)
  const itemOf = (action: Action) => {
    const offer = offerOf(action)
    const { label, Icon, tone, unavailable, step } = offer
    const icon = <Icon aria-hidden="true" className="size-4 shrink-0" />
    if (unavailable) return <MenuNote key={label} icon={icon} label={label} note={unavailable} />
    if (step.kind === 'link')
      return (
        <MenuLink key={label}>
          <Link href={step.href} prefetch={false}>
            {icon}
            {label}
          </Link>
        </MenuLink>
      )
    return (
      <MenuItem key={label} tone={tone} onSelect={() => begin(offer)}>
        {icon}
        {label}
      </MenuItem>
    )
  }
  return (
    <>
      {groups.length > 0 ? (
        <RowMenu row={row}>
          {groups.map((group, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: groups have no other key
            <Fragment key={index}>
              {index > 0 ? <MenuSeparator /> : null}
              {group.map(itemOf)}
            </Fragment>
          ))}
        </RowMenu>
      ) : null}
      {dialog}
    </>
  )
}
