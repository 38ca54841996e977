import type { Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { sessionEntity } from './entity'
import { endSessionRow, type ProviderSelection, selectProviderOf, selectSessionsOfProvider } from './queries'
import { markSessionsEnded } from './service'

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
  const userIds = new Set<string>()
  for (const id of ids) {
    const row = await endSessionRow(tx, id, reason, ctx.now())
    if (!row) continue
    userIds.add(row.userId)
    const { browser, system, ip } = row
    await audit(tx, ctx, sessionEntity, id, { browser, system, ip }, null)
  }
  return { userIds: [...userIds], afterCommit: () => markSessionsEnded(ids) }
}
