import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { endRecordedSessions } from './ending'
import { type ProviderSelection, selectProviderOf, selectSessionsOfProvider } from './queries'

/** Returns the id of the identity provider through which a live session began. Returns null for any other session. */
export const providerOfSession = (sessionId: string): Promise<string | null> => selectProviderOf(sessionId)

/**
 * Ends the sessions that an identity provider has proven: those of one of its own sessions, those of one of its people,
 * or all. Records an audit event of each. Returns the ids of their users, and the function to call after the commit
 * (docs/rules/providers.md#sign-out).
 */
export async function endSessionsOfProvider(
  tx: Transaction,
  ctx: Ctx,
  selection: ProviderSelection,
  reason: 'signedOutAtProvider' | 'providerDeleted' = 'signedOutAtProvider',
) {
  const ids = await selectSessionsOfProvider(tx, selection)
  const { rows, afterCommit } = await endRecordedSessions(tx, ctx, ids, reason)
  return { userIds: [...new Set(rows.map(({ userId }) => userId))], afterCommit }
}
