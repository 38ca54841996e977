import { ListPage } from '@/components/list/list-page'
import { listPageContext } from '@/lib/context/list-page'
import { screenTitle } from '@/lib/context/title'
import { ExchangeQuery } from '@/lib/entry/integration-journal/contract'
import type { PageSearch } from '@/lib/kernel/list-address'
import { Exchanges } from './_ui/exchanges'

export const generateMetadata = () => screenTitle('PlatformIntegrationMonitoring')

/** The journal of requests to other systems. */
export default async function IntegrationMonitoringPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformIntegrationMonitoring', ExchangeQuery, searchParams)
  return (
    <ListPage name={list.name} texts="integration-journal" more={['integration']} columns={5}>
      <Exchanges {...list} />
    </ListPage>
  )
}
