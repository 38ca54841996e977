import { db } from '@/db/client'
import { addEntry } from './chain'
import { removeDue, selectDue, waitForTurn } from './queries'

const day = 86_400_000

/** Returns the moment before which rows are due: the beginning of a day in UTC, so that the chain says it once a day. */
const dueBefore = (days: number, now: Date) => new Date(Math.floor((now.getTime() - days * day) / day) * day)

/**
 * Removes the sealed rows that are older than so many days, an entry of the chain at a time. Before, the chain gets an entry
 * that says so, by which rows that are missing later are told from rows that somebody deleted
 * (docs/rules/administration-screens.md#sealed-history).
 */
export async function removeOldHistory(days: number, now: Date): Promise<void> {
  const before = dueBefore(days, now)
  const { due, said } = await selectDue(before)
  if (!due) return
  if (!said)
    await db().transaction(async (tx) => {
      await waitForTurn(tx)
      await addEntry(tx, { sealedAt: new Date(), kind: 'retention', before, count: 0, newest: null, root: '' })
    })
  while ((await removeDue(before)) > 0);
}
