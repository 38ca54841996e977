import { ListPage } from '@/components/list/list-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { DomainQuery } from '@/lib/site/domains/contract'
import { CreateDomain } from './_ui/domain-parts'
import { Domains } from './_ui/domains'

export const generateMetadata = () => screenTitle('PlatformDomains')

/** The domains. */
export default async function DomainsPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformDomains', DomainQuery, searchParams)
  return (
    <ListPage name={list.name} texts="domains" action={list.mayWrite ? <CreateDomain /> : null} columns={5}>
      <Domains {...list} />
    </ListPage>
  )
}
