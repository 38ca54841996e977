import { ListPage } from '@/components/list/list-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { MessageQuery } from '@/lib/messaging/message-texts/contract'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { MessageList } from './_ui/message-list'

export const generateMetadata = () => screenTitle('PlatformLibrariesMessages')

/** Every mail and SMS that the platform sends. */
export default async function MessagesPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformLibrariesMessages', MessageQuery, searchParams)
  return (
    <ListPage name={list.name} texts="message-texts" columns={3}>
      <MessageList {...list} />
    </ListPage>
  )
}
