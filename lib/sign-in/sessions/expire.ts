import { db } from '@/db/client'
import { platformSettings } from '@/lib/site/settings/service'
import { type Expiry, endSessionRows, lockExpiredSessions } from './queries'

async function endExpiredBy(by: Expiry, until: Date, now: Date, batch: number): Promise<number> {
  let total = 0
  for (let position: { at: string; id: string } | null = null; ; ) {
    // each batch begins after the previous one, so that it passes rows that another process has locked
    const start = position
    const ended = await db().transaction(async (tx) => {
      const rows = await lockExpiredSessions(tx, { by, until, after: start, limit: batch })
      await endSessionRows(
        tx,
        rows.map(({ id }) => id),
        { reason: 'expired', now },
      )
      return rows
    })
    total += ended.length
    if (ended.length < batch) return total
    position = ended.at(-1) ?? position
  }
}

/**
 * Ends expired sessions that no request has ended, one transaction for each batch, and notifies open pages and
 * applications. Returns how many it ended. It may run again, and in several processes at the same time.
 */
export async function endExpiredSessions(now: Date, batch = 100): Promise<number> {
  const { sessionIdleAlive } = await platformSettings()
  const idleSince = new Date(now.getTime() - sessionIdleAlive * 1000)
  const expired = await endExpiredBy('expiresAt', now, now, batch)
  return expired + (await endExpiredBy('lastAccessAt', idleSince, now, batch))
}
