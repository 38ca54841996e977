'use client'

import { useEffect, useState } from 'react'
import { ActionButton } from '../form/action-button'
import { type Action, type ActionList, isDangerous } from '../form/actions'
import { cn } from '../ui/cn'
import { RowMenuButton } from '../ui/row-menu-button'
import { AskedContext, useLater } from '../ui/use-later'

type Props = {
  /** The card's title, for screen readers. */
  name: string
  /**
   * Most used first. The first two that take nothing away are buttons, the rest is in a menu. Contracts are functions
   * that load them, so that the page sends none.
   */
  actions: ActionList
}

const load = () => import('../form/row-actions').then(({ RowActions }) => RowActions)

/** Whether a page is as narrow as a phone; the second button is in the menu then. */
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
  const [first, second] = offered.filter((action) => !isDangerous(action))
  const isButton = (action: ActionList[number]) => action === first || action === second
  const rest = actions.filter((action) => !isButton(action))
  const more = offered.some((action) => !isButton(action))
  const keyOf = (action: Action) => ('label' in action ? action.label : action.kind)
  return (
    <div className="flex flex-wrap items-start gap-2 print:hidden @max-[40rem]:w-full">
      {first ? (
        <div key={keyOf(first)} className="@max-[40rem]:grow @max-[40rem]:*:w-full">
          <ActionButton action={first} />
        </div>
      ) : null}
      {second ? (
        <div
          key={keyOf(second)}
          className={cn(more ? 'max-[40rem]:hidden' : '@max-[40rem]:grow @max-[40rem]:*:w-full')}
        >
          <ActionButton action={second} />
        </div>
      ) : null}
      {more ? <More name={name} actions={narrow ? [second, 'separator', ...rest] : rest} /> : null}
    </div>
  )
}

function More({ name, actions }: Props) {
  const { Part, asked, wake } = useLater(load)
  return (
    <div className="*:border *:border-line-strong *:bg-surface">
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
