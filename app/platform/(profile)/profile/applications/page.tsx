import { ListPage } from '@/components/list/list-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { UserApplicationQuery } from '@/lib/openid/consents/contract'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { Applications } from './_ui/applications'

export const generateMetadata = () => screenTitle('UserProfileApplications')

/** The applications that have access to the person's data. */
export default async function ApplicationsPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('UserProfileApplications', UserApplicationQuery, searchParams)
  return (
    <ListPage name={list.name} texts="user-applications" columns={2}>
      <Applications {...list} />
    </ListPage>
  )
}
