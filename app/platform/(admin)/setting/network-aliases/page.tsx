import { ListPage } from '@/components/list/list-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { NetworkAliasQuery } from '@/lib/network/network-aliases/contract'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
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
