import { db } from '@/db/client'
import { platformSettings } from '@/lib/platform/settings/service'
import { endSessionRow, runOutIds } from './queries'

const batch = 100

/**
 * Ends the sessions that ran out without anybody looking, as any end is: open pages and applications are told. Gives
 * how many. Bears to run twice and beside itself.
 */
export async function endExpiredSessions(now: Date): Promise<number> {
  const { sessionIdleAlive } = await platformSettings()
  const idleSince = new Date(now.getTime() - sessionIdleAlive * 1000)
  let total = 0
  for (;;) {
    const ended = await db().transaction(async (tx) => {
      const ids = await runOutIds(tx, now, idleSince, batch)
      for (const id of ids) await endSessionRow(tx, id, 'expired', now)
      return ids.length
    })
    total += ended
    if (ended < batch) return total
  }
}
