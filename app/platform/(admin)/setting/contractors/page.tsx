import { getMessages } from 'next-intl/server'
import { ListPage } from '@/components/list/list-page'
import { PageMessages } from '@/components/shell/page-messages'
import { listPageContext } from '@/lib/context/list-page'
import { screenTitle } from '@/lib/context/title'
import { pickMessages } from '@/lib/kernel/i18n/messages'
import type { PageSearch } from '@/lib/kernel/list-address'
import { ContractorQuery } from '@/lib/people/contractors/contract'
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
