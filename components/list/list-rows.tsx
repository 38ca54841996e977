import type { ReactNode } from 'react'
import type { ListAddress } from '@/lib/kernel/list-address'
import { ListEmpty } from './list-empty'
import { Pager, type PagerMeta } from './pager'

type Props = {
  address: ListAddress
  meta: PagerMeta
  /** How many rows this page has. */
  count: number
  /** The text and the action if nothing was ever created. */
  empty?: { title?: string; text?: string; action?: ReactNode }
  /** Steps by cursor instead of numbered pages. */
  cursor?: boolean | undefined
  children: ReactNode
}

/** The rows of a list with its pager, or what is shown if there are none. */
export function ListRows({ address, meta, count, empty, cursor = false, children }: Props) {
  return (
    <>
      {count === 0 ? <ListEmpty address={address} meta={meta} {...empty} /> : children}
      <Pager cursor={cursor} address={address} meta={meta} />
    </>
  )
}
