import { ListPage } from '@/components/list/list-page'
import { listPageContext } from '@/lib/context/list-page'
import { screenTitle } from '@/lib/context/title'
import type { PageSearch } from '@/lib/kernel/list-address'
import { UserApplicationQuery } from '@/lib/oidc/consents/contract'
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
