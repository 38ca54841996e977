import { ListPage } from '@/components/list/list-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { CompanyQuery } from '@/lib/companies/own-companies/contract'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
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
