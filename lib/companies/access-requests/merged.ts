import type { EventHandler } from '@/lib/base/events/events'
import { moveRequests } from './queries'

/** Contractors were merged: requests that were approved with one of them name the target now. */
export const moveMergedRequests: EventHandler<'contractorsMerged'> = async (tx, _, { targetId, sourceIds }) => {
  await moveRequests(tx, targetId, sourceIds)
  return undefined
}
