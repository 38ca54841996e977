import { ListPage } from '@/components/list/list-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { WholeHistoryQuery } from '@/lib/operations/history/contract'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { WholeHistory } from './_ui/whole-history'

export const generateMetadata = () => screenTitle('PlatformHistory')

/** Who changed what, in all areas that the person may read. */
export default async function HistoryPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const { name, ctx, query, address } = await listPageContext('PlatformHistory', WholeHistoryQuery, searchParams)
  return (
    <ListPage name={name} texts="whole-history" columns={4}>
      <WholeHistory ctx={ctx} query={query} address={address} />
    </ListPage>
  )
}
