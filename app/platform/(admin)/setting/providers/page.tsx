import { ListPage } from '@/components/list/list-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { ProviderQuery } from '@/lib/directory-sync/providers/contract'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { CreateProvider } from './_ui/provider-parts'
import { Providers } from './_ui/providers'

export const generateMetadata = () => screenTitle('PlatformProviders')

/** The external directories that people come from. */
export default async function ProvidersPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformProviders', ProviderQuery, searchParams)
  return (
    <ListPage name={list.name} texts="providers" action={list.mayWrite ? <CreateProvider /> : null} columns={5}>
      <Providers {...list} />
    </ListPage>
  )
}
