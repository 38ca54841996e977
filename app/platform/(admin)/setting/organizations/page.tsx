import { getMessages } from 'next-intl/server'
import { ListPage } from '@/components/list/list-page'
import { PageMessages } from '@/components/shell/page-messages'
import { pickMessages } from '@/lib/base/i18n/messages'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { OrganizationQuery } from '@/lib/companies/organizations/contract'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { CreateOrganization } from './_ui/organization-parts'
import { Organizations } from './_ui/organizations'

export const generateMetadata = () => screenTitle('PlatformOrganizations')

/** Companies of the platform's owner, in which roles are held. */
export default async function OrganizationsPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformOrganizations', OrganizationQuery, searchParams)
  return (
    <PageMessages messages={pickMessages(await getMessages(), ['requisites'])}>
      <ListPage
        name={list.name}
        texts="organizations"
        action={list.mayWrite ? <CreateOrganization /> : null}
        columns={6}
      >
        <Organizations {...list} />
      </ListPage>
    </PageMessages>
  )
}
