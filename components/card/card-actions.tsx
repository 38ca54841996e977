'use client'

import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { ActionButton } from '../form/action-button'
import { type Action, type ActionList, isDangerous } from '../form/actions'
import { cn } from '../ui/cn'
import { RowMenuButton } from '../ui/row-menu-button'
import { AskedContext, useLater } from '../ui/use-later'

type Props = {
  /** The card's title, for screen readers. */
  name: string
  /**
   * Most used first. The first two that can be undone are buttons, the rest is in a menu. On a phone only the first is
   * one, unless it switches something off. Contracts are functions that load them, so that the page sends none.
   */
  actions: ActionList
}

const load = () => import('../form/row-actions').then(({ RowActions }) => RowActions)

/** Whether it takes something from people; such an action is never the one wide button of a phone. */
const takesAway = (action: Action) => isDangerous(action) || (action.kind === 'toggle' && action.enabled)

/** Whether a page is as narrow as a phone, where a menu has what stands beside it as buttons elsewhere. */
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

/** What can be done with the object of a card: two buttons, and a menu of the rest. */
export function CardActions({ name, actions }: Props) {
  const narrow = useNarrow()
  const offered = actions.filter((action): action is Action => Boolean(action) && action !== 'separator')
  const buttons = offered.filter((action) => !isDangerous(action)).slice(0, 2)
  const rest = actions.filter((action) => !buttons.some((button) => button === action))
  const more = offered.length > buttons.length
  // a phone has room for one button beside the menu, and for two without it
  const taking = buttons.findIndex(takesAway)
  const kept = buttons.slice(0, Math.min(more ? 1 : 2, taking < 0 ? 2 : taking))
  const folded = buttons.filter((action) => !kept.includes(action))
  const onPhone: ActionList = [
    ...folded.filter((action) => !takesAway(action)),
    ...rest,
    'separator',
    ...folded.filter(takesAway),
  ]
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    // on a phone the button that was pressed may be in the menu now
    const { activeElement: active } = document
    if (!active || !box.current?.contains(active) || active.checkVisibility()) return
    const shown = [...box.current.querySelectorAll('button')].find((button) => button.checkVisibility())
    shown?.focus()
  })
  const keyOf = (action: Action) => ('label' in action ? action.label : action.kind)
  return (
    <div
      ref={box}
      data-lone={kept.length === 0 ? '' : undefined}
      className={cn('flex flex-wrap items-start gap-2 print:hidden', kept.length > 0 && '@max-[40rem]:w-full')}
    >
      {buttons.map((action) => (
        <div
          key={keyOf(action)}
          className={kept.includes(action) ? '@max-[40rem]:grow @max-[40rem]:*:w-full' : 'max-[40rem]:hidden'}
        >
          <ActionButton action={action} />
        </div>
      ))}
      {more || folded.length > 0 ? (
        <div className={more ? undefined : 'min-[40rem]:hidden'}>
          <More name={name} actions={narrow ? onPhone : rest} />
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
        <AskedContext value={asked}>
          <Part row={name} actions={actions} />
        </AskedContext>
      ) : (
        <RowMenuButton row={name} {...wake} />
      )}
    </div>
  )
}
