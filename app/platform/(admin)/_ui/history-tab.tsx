import { HistoryList } from '@/components/history/history-list'
import { HistorySkeleton } from '@/components/history/history-skeleton'
import { StreamedPart } from '@/components/hydration/streamed-part'
import type { EntityName } from '@/lib/base/contracts/entity-names.generated'
import { HistoryQuery } from '@/lib/operations/history/contract'
import { entityHistory } from '@/lib/operations/history/service'
import type { CardContext } from '@/lib/request/card-page'
import { readList } from '@/lib/request/list-page'

type Props = {
  /** What cardPageContext returned. The tab's method is `history.read`. */
  card: CardContext
  entity: EntityName
}

/** The History tab of a card: who changed the object and how, the newest first. */
export function HistoryTab({ card, entity }: Props) {
  return (
    <StreamedPart fallback={<HistorySkeleton />}>
      <Read card={card} entity={entity} />
    </StreamedPart>
  )
}

async function Read({ card: { ctx, id, list }, entity }: Props) {
  const { query, address } = list(HistoryQuery)
  const history = await readList(address, (place) => entityHistory(ctx, { entity, id, query: { ...query, ...place } }))
  return <HistoryList address={address} of={{ entity, id }} {...history} />
}
