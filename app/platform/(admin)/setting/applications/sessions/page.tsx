import { ListPage } from '@/components/list/list-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { ApplicationSessionQuery } from '@/lib/openid/application-sessions/contract'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { ApplicationSessions } from '../_ui/application-sessions'

export const generateMetadata = () => screenTitle('PlatformApplicationsSessions')

/** The sessions of people in all applications. */
export default async function ApplicationSessionsPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformApplicationsSessions', ApplicationSessionQuery, searchParams)
  return (
    <ListPage name={list.name} texts="application-sessions" columns={5}>
      <ApplicationSessions {...list} />
    </ListPage>
  )
}
