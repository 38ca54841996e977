import { CardColumns } from '@/components/card/card'
import { HistoryList } from '@/components/history/history-list'
import { HistorySkeleton } from '@/components/history/history-skeleton'
import { StreamedPart } from '@/components/hydration/streamed-part'
import type { Ctx } from '@/lib/base/context/ctx'
import { type PageSearch, readListAddress } from '@/lib/base/lists/list-address'
import { HistoryQuery } from '@/lib/operations/history/contract'
import { ownHistory } from '@/lib/operations/history/service'
import { readList } from '@/lib/request/list-page'
import { historyTab, personalPath } from '../tabs'

type Props = { ctx: Ctx; search: PageSearch }

/** Who changed the account and how, the newest first. `search` is the page's address without its tab. */
export function OwnHistory(props: Props) {
  return (
    <CardColumns>
      <StreamedPart fallback={<HistorySkeleton />}>
        <Acts {...props} />
      </StreamedPart>
    </CardColumns>
  )
}

async function Acts({ ctx, search }: Props) {
  const { query, address } = readListAddress(HistoryQuery, personalPath, search)
  const inTab = new URLSearchParams(address.search)
  inTab.set('tab', historyTab)
  const tabAddress = { ...address, search: inTab.toString() }
  const history = await readList(tabAddress, (place) => ownHistory(ctx, { ...query, ...place }))
  return <HistoryList address={tabAddress} {...history} />
}
