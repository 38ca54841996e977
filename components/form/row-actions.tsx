'use client'

import Link from 'next/link'
import { Fragment } from 'react'
import { MenuItem, MenuLink, MenuNote, MenuSeparator } from '../ui/menu'
import { RowMenu } from '../ui/row-menu'
import { type Action, type ActionList, groupsOf } from './actions'
import { useActions } from './use-action'

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
