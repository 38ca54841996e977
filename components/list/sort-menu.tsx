'use client'

import type { ComponentProps } from 'react'
import { AskedContext, useLater } from '../ui/use-later'
import { SortButton } from './sort-button'
import type { SortChoice } from './sort-choice'

const load = () => import('./sort-choice').then((part) => part.SortChoice)

/** Sorts where rows are cards, which have no heads of columns. The choice loads with its first use. */
export function SortMenu(props: ComponentProps<typeof SortChoice>) {
  const { Part, asked, wake } = useLater(load)
  return (
    <div className="list-cards-only">
      {Part ? (
        <AskedContext value={asked}>
          <Part {...props} />
        </AskedContext>
      ) : (
        <SortButton {...wake} />
      )}
    </div>
  )
}
