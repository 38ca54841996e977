import { ListPage } from '@/components/list/list-page'
import { listPageContext } from '@/lib/context/list-page'
import { screenTitle } from '@/lib/context/title'
import type { PageSearch } from '@/lib/kernel/list-address'
import { ProviderQuery } from '@/lib/people/providers/contract'
import { CreateProvider } from './_ui/provider-parts'
import { Providers } from './_ui/providers'

export const generateMetadata = () => screenTitle('PlatformProviders')

/** The outside directories that people come from. */
export default async function ProvidersPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformProviders', ProviderQuery, searchParams)
  return (
    <ListPage name={list.name} texts="providers" action={list.mayWrite ? <CreateProvider /> : null} columns={5}>
      <Providers {...list} />
    </ListPage>
  )
}
