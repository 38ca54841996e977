import { getMessages } from 'next-intl/server'
import { ListPage } from '@/components/list/list-page'
import { PageMessages } from '@/components/shell/page-messages'
import { pickMessages } from '@/lib/base/i18n/messages'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { ContractorQuery } from '@/lib/companies/contractors/contract'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { CreateContractor } from './_ui/contractor-parts'
import { Contractors } from './_ui/contractors'

export const generateMetadata = () => screenTitle('PlatformContractors')

/** Companies whose people use the platform. */
export default async function ContractorsPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformContractors', ContractorQuery, searchParams)
  return (
    <PageMessages messages={pickMessages(await getMessages(), ['requisites'])}>
      <ListPage name={list.name} texts="contractors" action={list.mayWrite ? <CreateContractor /> : null} columns={6}>
        <Contractors {...list} />
      </ListPage>
    </PageMessages>
  )
}
