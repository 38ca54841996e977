import type { ReactNode } from 'react'
import { StreamedPart } from '../hydration/streamed-part'
import { List } from '../list/list'
import { TableSkeleton } from '../list/table-skeleton'

/** A list in a tab of a card. Until the rows are read, it has a placeholder with this number of columns. */
export function CardList({ columns, children }: { columns: number; children: ReactNode }) {
  return (
    <List>
      <StreamedPart fallback={<TableSkeleton columns={columns} />}>{children}</StreamedPart>
    </List>
  )
}
