import type { Messages } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { type ReactNode, Suspense } from 'react'
import { pickMessages, type TextFile } from '@/lib/base/i18n/messages'
import type { ScreenName } from '@/lib/base/navigation/screens'
import { PageMessages } from '../shell/page-messages'
import { PageHeader } from '../ui/page-header'
import { List } from './list'
import { TableSkeleton } from './table-skeleton'

/** Files of texts whose namespace has the text `lead`. */
type ListTexts = {
  [F in TextFile & keyof Messages]: Messages[F] extends { lead: string } ? F : never
}[TextFile & keyof Messages]

type Props = {
  /** The name of the page; its label is the title. */
  name: ScreenName
  /** The file of its texts, which its client components need. The text `lead` is one sentence about the page. */
  texts: ListTexts
  /** Further files of texts that they need. */
  more?: readonly TextFile[]
  /** The main action, at the right. */
  action?: ReactNode
  /** Reads the rows. Until they arrive, a skeleton with this number of columns is shown. */
  columns: number
  children: ReactNode
}

/** A page with a list: the header, and below it the list. */
export async function ListPage({ name, texts, more = [], action, columns, children }: Props) {
  const [t, messages] = await Promise.all([getTranslations('shell.screens'), getMessages()])
  return (
    <PageMessages messages={pickMessages(messages, [texts, ...more])}>
      <div className="grid gap-5">
        <PageHeader title={t(name)} text={messages[texts].lead} action={action} />
        <List>
          <Suspense fallback={<TableSkeleton columns={columns} />}>{children}</Suspense>
        </List>
      </div>
    </PageMessages>
  )
}
