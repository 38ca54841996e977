import { ListPage } from '@/components/list/list-page'
import { listPageContext } from '@/lib/context/list-page'
import { screenTitle } from '@/lib/context/title'
import type { PageSearch } from '@/lib/kernel/list-address'
import { InternalApplicationQuery } from '@/lib/platform/applications/contract'
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
