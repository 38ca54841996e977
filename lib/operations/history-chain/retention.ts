import { db } from '@/db/client'
import { addEntry } from './chain'
import { lockChain, removeExpired, selectRetention } from './queries'

const day = 86_400_000

/**
 * Returns the moment before which rows expire: the beginning of a day in UTC, so that the chain gets one entry a day.
 */
const expiryMoment = (days: number, now: Date) => new Date(Math.floor((now.getTime() - days * day) / day) * day)

/**
 * Removes the sealed rows that are older than this number of days, one entry of the chain at a time. First it adds an
 * entry about the retention, which tells removed rows from rows that somebody deleted
 * (docs/rules/administration-screens.md#sealed-history).
 */
export async function removeOldHistory(days: number, now: Date): Promise<void> {
  const before = expiryMoment(days, now)
  const { due, said: recorded } = await selectRetention(before)
  if (!due) return
  if (!recorded)
    await db().transaction(async (tx) => {
      await lockChain(tx)
      await addEntry(tx, { sealedAt: new Date(), kind: 'retention', before, count: 0, newest: null, root: '' })
    })
  while ((await removeExpired(before)) > 0);
}
