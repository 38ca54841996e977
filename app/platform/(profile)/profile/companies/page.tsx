import { ListPage } from '@/components/list/list-page'
import { listPageContext } from '@/lib/context/list-page'
import { screenTitle } from '@/lib/context/title'
import type { PageSearch } from '@/lib/kernel/list-address'
import { CompanyQuery } from '@/lib/profile/companies/contract'
import { Companies } from './_ui/companies'

export const generateMetadata = () => screenTitle('UserProfileCompanies')

/** The companies that the person belongs to. */
export default async function CompaniesPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('UserProfileCompanies', CompanyQuery, searchParams)
  return (
    <ListPage name={list.name} texts="companies" columns={1}>
      <Companies {...list} />
    </ListPage>
  )
}
