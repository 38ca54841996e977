import { db } from '@/db/client'
import { platformSettings } from '@/lib/platform/settings/service'
import { endSessionRow, lockExpiredSessionIds } from './queries'

/**
 * Ends expired sessions that no request has ended, one transaction for each batch; open pages and applications are
 * notified. Returns how many it ended. It may run twice, and at the same time in several processes.
 */
export async function endExpiredSessions(now: Date, batch = 100): Promise<number> {
  const { sessionIdleAlive } = await platformSettings()
  const idleSince = new Date(now.getTime() - sessionIdleAlive * 1000)
  let [total, after] = [0, '00000000-0000-0000-0000-000000000000']
  for (;;) {
    // each batch continues behind the last one, so that the table is read once
    const ids = await db().transaction(async (tx) => {
      const found = await lockExpiredSessionIds(tx, now, idleSince, after, batch)
      for (const id of found) await endSessionRow(tx, id, 'expired', now)
      return found
    })
    total += ids.length
    if (ids.length < batch) return total
    after = ids.at(-1) ?? after
  }
}
