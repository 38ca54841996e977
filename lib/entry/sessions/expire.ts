import { db } from '@/db/client'
import { platformSettings } from '@/lib/platform/settings/service'
import { endSessionRow, runOutIds } from './queries'

/**
 * Ends the sessions that ran out without anybody looking, as any end is: open pages and applications are told. Gives
 * how many, after as many transactions as it takes batches. Bears to run twice and beside itself.
 */
export async function endExpiredSessions(now: Date, batch = 100): Promise<number> {
  const { sessionIdleAlive } = await platformSettings()
  const idleSince = new Date(now.getTime() - sessionIdleAlive * 1000)
  let [total, after] = [0, '00000000-0000-0000-0000-000000000000']
  for (;;) {
    // on from where the last one was: the table is passed through once
    const ids = await db().transaction(async (tx) => {
      const found = await runOutIds(tx, now, idleSince, after, batch)
      for (const id of found) await endSessionRow(tx, id, 'expired', now)
      return found
    })
    total += ids.length
    if (ids.length < batch) return total
    after = ids.at(-1) ?? after
  }
}
