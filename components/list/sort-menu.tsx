'use client'

import type { ComponentProps } from 'react'
import { AskedByContext, useLater } from '../ui/use-later'
import { SortButton } from './sort-button'
import type { SortChoice } from './sort-choice'

const load = () => import('./sort-choice').then((part) => part.SortChoice)

/** Sorts lists whose rows are cards without column heads. The choice is loaded when it is first used. */
export function SortMenu(props: ComponentProps<typeof SortChoice>) {
  const { Part, asked, wake } = useLater(load)
  return (
    <div className="list-cards-only">
      {Part ? (
        <AskedByContext value={asked}>
          <Part {...props} />
        </AskedByContext>
      ) : (
        <SortButton {...wake} />
      )}
    </div>
  )
}
