'use client'

import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { ActionButton } from '../form/action-button'
import { type Action, type ActionList, isDangerous } from '../form/actions'
import { cn } from '../ui/cn'
import { RowMenuButton } from '../ui/row-menu-button'
import { AskedByContext, useLater } from '../ui/use-later'

type Props = {
  /** The card's title, for screen readers. */
  name: string
  /**
   * Most used first. The first two that can be undone are buttons, the others are in a menu. On a phone only the first
   * is a button, unless it disables something. Contracts are functions that load them, so that the page doesn't contain
   * them.
   */
  actions: ActionList
}

const load = () => import('../form/row-actions').then(({ RowActions }) => RowActions)

/** Whether the action takes something from people; a phone never shows such an action as its only wide button. */
const takesAway = (action: Action) => isDangerous(action) || (action.kind === 'toggle' && action.enabled)

/** Whether the page is as narrow as a phone. There the menu also has the actions that are buttons on wider pages. */
function useNarrow() {
  const [narrow, setNarrow] = useState(false)
  useEffect(() => {
    const query = window.matchMedia('(width < 40rem)')
    const tell = () => setNarrow(query.matches)
    tell()
    query.addEventListener('change', tell)
    return () => query.removeEventListener('change', tell)
  }, [])
  return narrow
}

/** The actions on the object of a card: two buttons, and a menu of the others. */
export function CardActions({ name, actions }: Props) {
  const narrow = useNarrow()
  const present = actions.filter((action): action is Action => Boolean(action) && action !== 'separator')
  const buttons = present.filter((action) => !isDangerous(action)).slice(0, 2)
  const inMenu = actions.filter((action) => !buttons.some((button) => button === action))
  const hasMenu = present.length > buttons.length
  // a phone has room for one button beside the menu, and for two without it
  const taking = buttons.findIndex(takesAway)
  const phoneButtons = buttons.slice(0, Math.min(hasMenu ? 1 : 2, taking < 0 ? 2 : taking))
  const folded = buttons.filter((action) => !phoneButtons.includes(action))
  const onPhone: ActionList = [
    ...folded.filter((action) => !takesAway(action)),
    ...inMenu,
    'separator',
    ...folded.filter(takesAway),
  ]
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    // on a phone the pressed button may be in the menu now
    const { activeElement: active } = document
    if (!active || !box.current?.contains(active) || active.checkVisibility()) return
    const visibleButton = [...box.current.querySelectorAll('button')].find((button) => button.checkVisibility())
    visibleButton?.focus()
  })
  const keyOf = (action: Action) => ('label' in action ? action.label : action.kind)
  return (
    <div
      ref={box}
      data-lone={phoneButtons.length === 0 ? '' : undefined}
      className={cn('flex flex-wrap items-start gap-2 print:hidden', phoneButtons.length > 0 && '@max-[40rem]:w-full')}
    >
      {buttons.map((action) => (
        <div
          key={keyOf(action)}
          className={phoneButtons.includes(action) ? '@max-[40rem]:grow @max-[40rem]:*:w-full' : 'max-[40rem]:hidden'}
        >
          <ActionButton action={action} />
        </div>
      ))}
      {hasMenu || folded.length > 0 ? (
        <div className={hasMenu ? undefined : 'min-[40rem]:hidden'}>
          <More name={name} actions={narrow ? onPhone : inMenu} />
        </div>
      ) : null}
    </div>
  )
}

function More({ name, actions }: Props) {
  const { Part, asked, wake } = useLater(load)
  return (
    <div className="[&>button]:border [&>button]:border-line-strong [&>button]:bg-surface">
      {Part ? (
        <AskedByContext value={asked}>
          <Part row={name} actions={actions} />
        </AskedByContext>
      ) : (
        <RowMenuButton row={name} {...wake} />
      )}
    </div>
  )
}
