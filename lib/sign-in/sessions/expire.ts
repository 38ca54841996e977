import { db } from '@/db/client'
import { platformSettings } from '@/lib/site/settings/service'
import { type Expiry, endSessionRow, lockExpiredSessions } from './queries'

async function endBy(by: Expiry, until: Date, now: Date, batch: number): Promise<number> {
  let total = 0
  for (let after: { at: string; id: string } | null = null; ; ) {
    // each batch continues behind the last one, past what another run has locked
    const from = after
    const ended = await db().transaction(async (tx) => {
      const found = await lockExpiredSessions(tx, { by, until, after: from, limit: batch })
      for (const { id } of found) await endSessionRow(tx, id, 'expired', now)
      return found
    })
    total += ended.length
    if (ended.length < batch) return total
    after = ended.at(-1) ?? after
  }
}

/**
 * Ends expired sessions that no request has ended, one transaction for each batch; open pages and applications are
 * notified. Returns how many it ended. It may run twice, and at the same time in several processes.
 */
export async function endExpiredSessions(now: Date, batch = 100): Promise<number> {
  const { sessionIdleAlive } = await platformSettings()
  const idleSince = new Date(now.getTime() - sessionIdleAlive * 1000)
  const over = await endBy('expiresAt', now, now, batch)
  return over + (await endBy('lastAccessAt', idleSince, now, batch))
}
