import { inBatches } from '@/lib/base/postgres/batches'
import { judgeEnded, judgeKept } from './retention-queries'

/** How many sessions one statement looks at; it reads all sessions of their accounts. */
const together = 200

/**
 * Deletes sessions that ended before `ended`, but for those by which accounts know their browsers and administrators see
 * who was here last; of these it deletes or clears what ended before `kept` (docs/rules/retention.md#sessions).
 */
export async function removeEndedSessions({ ended, kept }: { ended: Date; kept: Date }): Promise<void> {
  await inBatches((limit) => judgeEnded(ended, limit), together)
  await inBatches((limit) => judgeKept(kept, limit), together)
}
