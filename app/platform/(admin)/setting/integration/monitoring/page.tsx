import { ListPage } from '@/components/list/list-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { ExchangeQuery } from '@/lib/exchanges/exchange-journal/contract'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
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
