import { ListPage } from '@/components/list/list-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { IntegrationSyncQuery } from '@/lib/exchanges/exchanges/contract'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { Syncs } from './_ui/syncs'

export const generateMetadata = () => screenTitle('PlatformIntegrationSynchronization')

/** The exchanges with other systems. */
export default async function IntegrationSynchronizationPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformIntegrationSynchronization', IntegrationSyncQuery, searchParams)
  return (
    <ListPage name={list.name} texts="integration" more={['runs']} columns={4}>
      <Syncs {...list} />
    </ListPage>
  )
}
