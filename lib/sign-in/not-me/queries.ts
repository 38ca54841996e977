import { and, eq, isNull, or, sql } from 'drizzle-orm'
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
