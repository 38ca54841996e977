import type { ReactNode } from 'react'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { ListEmpty } from './list-empty'
import { Pager, type PagerMeta } from './pager'

type Props = {
  address: ListAddress
  meta: PagerMeta
  /** The number of rows on this page. */
  count: number
  /** The text and the action if no row was ever created. */
  empty?: { title?: string; text?: string; action?: ReactNode }
  /** Cursors of the previous and next page, in place of page numbers. */
  cursor?: boolean | undefined
  children: ReactNode
}

/** The rows of a list with its pager, or what is shown if there are no rows. */
export function ListRows({ address, meta, count, empty, cursor = false, children }: Props) {
  return (
    <>
      {count === 0 ? <ListEmpty address={address} meta={meta} {...empty} /> : children}
      <Pager cursor={cursor} address={address} meta={meta} counted />
    </>
  )
}
