import { getMessages } from 'next-intl/server'
import { ListPage } from '@/components/list/list-page'
import { PageMessages } from '@/components/shell/page-messages'
import { listPageContext } from '@/lib/context/list-page'
import { screenTitle } from '@/lib/context/title'
import { pickMessages } from '@/lib/kernel/i18n/messages'
import type { PageSearch } from '@/lib/kernel/list-address'
import { OrganizationQuery } from '@/lib/people/organizations/contract'
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
