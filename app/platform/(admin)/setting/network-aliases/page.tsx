import { ListPage } from '@/components/list/list-page'
import { listPageContext } from '@/lib/context/list-page'
import { screenTitle } from '@/lib/context/title'
import type { PageSearch } from '@/lib/kernel/list-address'
import { NetworkAliasQuery } from '@/lib/platform/network-aliases/contract'
import { CreateAlias } from './_ui/alias-parts'
import { Aliases } from './_ui/aliases'

export const generateMetadata = () => screenTitle('PlatformNetworkAliases')

/** The network aliases: named groups of addresses. */
export default async function NetworkAliasesPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformNetworkAliases', NetworkAliasQuery, searchParams)
  return (
    <ListPage name={list.name} texts="network-aliases" action={list.mayWrite ? <CreateAlias /> : null} columns={4}>
      <Aliases {...list} />
    </ListPage>
  )
}
