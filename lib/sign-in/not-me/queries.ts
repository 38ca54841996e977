import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { sessions } from '@/db/schema/entry'

/**
 * Returns the ids of the sessions of a person that haven't ended in the browser in which this session was started, this
 * session included.
 */
export const selectSessionsBeside = (tx: Transaction, userId: string, sessionId: string) =>
  tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        isNull(sessions.endedAt),
        or(
          eq(sessions.id, sessionId),
          sql`${sessions.deviceHash} = (select s.device_hash from ${sessions} s where s.id = ${sessionId}
            and s.user_id = ${userId})`,
        ),
      ),
    )

/** Returns whether two sessions of a person, ended or not, were started in the same browser. */
export async function isOfSameBrowser(tx: Transaction, userId: string, one: string, other: string | null) {
  if (other === null) return false
  const ownSessions = await tx
    .select({ id: sessions.id, deviceHash: sessions.deviceHash })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), inArray(sessions.id, [one, other])))
  const [hash, otherHash] = [one, other].map((id) => ownSessions.find((session) => session.id === id)?.deviceHash)
  return one === other || (Boolean(hash) && hash === otherHash)
}
