import { ListPage } from '@/components/list/list-page'
import { InternalApplicationQuery } from '@/lib/applications/applications/contract'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { Applications } from '../_ui/applications'

export const generateMetadata = () => screenTitle('PlatformApplicationsInternal')

/** The applications that ship with the platform or its installation. */
export default async function InternalApplicationsPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformApplicationsInternal', InternalApplicationQuery, searchParams)
  return (
    <ListPage name={list.name} texts="applications" columns={6}>
      <Applications {...list} only="internal" />
    </ListPage>
  )
}
