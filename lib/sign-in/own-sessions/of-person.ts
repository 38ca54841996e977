import type { Transaction } from '@/db/client'
import { callerId } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { emit } from '@/lib/base/events/events'
import { countryOf } from '@/lib/base/limits/country'
import { platformSettings } from '@/lib/site/settings/service'
import { endRecordedSessions } from '../sessions/ending'
import type * as calls from './contract'
import { hasAccount, selectLiveSessions, selectSessionPage } from './queries'

export type Selection = { only?: string; except?: string }

/** Returns one page of a person's live sessions, the session of the caller first. It checks no access. */
export async function sessionPageOf(ctx: Ctx, userId: string, query: ServiceInput<typeof calls.listSessions>['query']) {
  const { sessionIdleAlive: idleAlive } = await platformSettings()
  const currentId = ctx.session?.id ?? null
  const owner = { userId, currentId, now: ctx.now(), idleAlive }
  const { rows, meta } = await selectSessionPage(query, callerId(ctx), ctx.user?.pagination ?? null, owner)
  const countries = await Promise.all(rows.map(({ session }) => countryOf(session.ip)))
  return {
    sessions: rows.map(({ session, provider }, index) => ({
      id: session.id,
      current: session.id === currentId,
      start: session.createdAt.toISOString(),
      expiry: new Date(
        Math.min(session.expiresAt.getTime(), session.lastAccessAt.getTime() + idleAlive * 1000),
      ).toISOString(),
      lastAccess: session.lastAccessAt.toISOString(),
      update: session.changedAt.toISOString(),
      device: {
        browser: session.browser,
        system: session.system,
        type: session.deviceType,
        displaySize: session.displaySize,
        displayWindowSize: session.displayWindowSize,
        displayZoom: session.displayZoom === null ? null : Number(session.displayZoom),
      },
      ip: session.ip,
      country: countries[index] ?? null,
      provider,
    })),
    meta,
  }
}

/**
 * Ends selected live sessions of a person, and records an audit event of each. Notifies the person if other sessions
 * than the caller's were among them. It checks no access. Returns the ids of the ended sessions, and the function to
 * call after the commit.
 */
export async function endSelected(tx: Transaction, ctx: Ctx, userId: string, selection: Selection, reason: string) {
  const { sessionIdleAlive: idleAlive } = await platformSettings()
  const sessions = await selectLiveSessions(tx, { userId, now: ctx.now(), idleAlive }, selection)
  const ids = sessions.map(({ id }) => id)
  const ending = await endRecordedSessions(tx, ctx, ids, reason)
  const count = ending.ended.filter((id) => id !== ctx.session?.id).length
  if (count === 0) return ending
  const afterEvent = await emit(tx, ctx, 'sessionsEnded', { userId, count })
  return { ...ending, afterCommit: () => ending.afterCommit().then(afterEvent) }
}

/** Returns whether there is an account with this id. */
export const isPerson = (userId: string): Promise<boolean> => hasAccount(userId)
