import type { Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { sessionEntity } from './entity'
import { endSessionRow, type OfProvider, selectProviderOf, selectSessionsOfProvider } from './queries'
import { forgetSessions } from './service'

/** Returns the provider through which a live session began; null for any other. */
export const providerOfSession = (sessionId: string): Promise<string | null> => selectProviderOf(sessionId)

/**
 * Ends the sessions that a provider has proven, by its own session or by the person there (all without either), and
 * records each. Returns whose they were, and what to call after the commit (docs/rules/providers.md#sign-out).
 */
export async function endSessionsOfProvider(
  tx: Transaction,
  ctx: Ctx,
  of: OfProvider,
  reason: 'signedOutAtProvider' | 'providerDeleted' = 'signedOutAtProvider',
) {
  const ids = await selectSessionsOfProvider(tx, of)
  const userIds = new Set<string>()
  for (const id of ids) {
    const row = await endSessionRow(tx, id, reason, ctx.now())
    if (!row) continue
    userIds.add(row.userId)
    const { browser, system, ip } = row
    await audit(tx, ctx, sessionEntity, id, { browser, system, ip }, null)
  }
  return { userIds: [...userIds], afterCommit: () => forgetSessions(ids) }
}
