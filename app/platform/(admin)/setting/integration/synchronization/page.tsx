import { ListPage } from '@/components/list/list-page'
import { listPageContext } from '@/lib/context/list-page'
import { screenTitle } from '@/lib/context/title'
import { IntegrationSyncQuery } from '@/lib/entry/integration/contract'
import type { PageSearch } from '@/lib/kernel/list-address'
import { Syncs } from './_ui/syncs'

export const generateMetadata = () => screenTitle('PlatformIntegrationSynchronization')

/** What is exchanged with other systems. */
export default async function IntegrationSynchronizationPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformIntegrationSynchronization', IntegrationSyncQuery, searchParams)
  return (
    <ListPage name={list.name} texts="integration" more={['runs']} columns={4}>
      <Syncs {...list} />
    </ListPage>
  )
}
