import type { Messages } from 'next-intl'
import { type ReactNode, Suspense } from 'react'
import { PageMessages } from '../shell/page-messages'
import { PageHeader } from '../ui/page-header'
import { List } from './list'
import { TableSkeleton } from './table-skeleton'

type Props = {
  title: string
  /** One sentence about it. */
  lead: string
  /** The one thing to do, at the right. */
  action?: ReactNode
  /** The page's own texts that its parts in the browser need. */
  messages: Partial<Messages>
  /** Reads the rows. Until they have arrived, a skeleton with this number of columns is shown. */
  columns: number
  children: ReactNode
}

/** A page that is a list: its header, and below it the list with its tools. */
export function ListPage({ title, lead, action, messages, columns, children }: Props) {
  return (
    <PageMessages messages={messages}>
      <div className="grid gap-5">
        <PageHeader title={title} text={lead} action={action} />
        <List>
          <Suspense fallback={<TableSkeleton columns={columns} />}>{children}</Suspense>
        </List>
      </div>
    </PageMessages>
  )
}
