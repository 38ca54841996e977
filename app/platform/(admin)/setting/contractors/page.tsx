import { getMessages } from 'next-intl/server'
import { ListPage } from '@/components/list/list-page'
import { PageMessages } from '@/components/shell/page-messages'
import { listPageContext } from '@/lib/context/list-page'
import { screenTitle } from '@/lib/context/title'
import { pickMessages } from '@/lib/kernel/i18n/messages'
import type { PageSearch } from '@/lib/kernel/list-address'
import { ContractorQuery } from '@/lib/people/contractors/contract'
import { organizationOptions } from '@/lib/people/contractors/service'
import { CreateContractor } from './_ui/contractor-parts'
import { Contractors } from './_ui/contractors'
import { OfferedOrganizations } from './_ui/offered'

export const generateMetadata = () => screenTitle('PlatformContractors')

/** Companies whose people use the platform. */
export default async function ContractorsPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformContractors', ContractorQuery, searchParams)
  const [organizations, messages] = await Promise.all([organizationOptions(list.ctx), getMessages()])
  return (
    <PageMessages messages={pickMessages(messages, ['requisites'])}>
      <OfferedOrganizations organizations={organizations}>
        <ListPage name={list.name} texts="contractors" action={list.mayWrite ? <CreateContractor /> : null} columns={6}>
          <Contractors {...list} organizations={organizations} />
        </ListPage>
      </OfferedOrganizations>
    </PageMessages>
  )
}
