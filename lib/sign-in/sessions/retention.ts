import { inBatches } from '@/lib/base/postgres/batches'
import { deleteOrClearMarked, deleteOrMarkEnded } from './retention-queries'

/** How many sessions one statement checks; it also reads all other sessions of their accounts. */
const sessionsPerStatement = 200

/**
 * Deletes sessions that ended before `ended`, except those by which accounts know their browsers and those that show
 * administrators when a person was here last. Of the exceptions, deletes or clears those that ended before `kept`
 * (docs/rules/retention.md#sessions).
 */
export async function removeEndedSessions({
  ended: endedBefore,
  kept: markedBefore,
}: {
  ended: Date
  kept: Date
}): Promise<void> {
  await inBatches((limit) => deleteOrMarkEnded(endedBefore, limit), sessionsPerStatement)
  await inBatches((limit) => deleteOrClearMarked(markedBefore, limit), sessionsPerStatement)
}
