import { and, eq, gt, isNull, ne, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { cursorPage } from '@/db/cursor'
import { sessions } from '@/db/schema/entry'
import { providers, users } from '@/db/schema/people'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { listSessions } from './contract'

type ListInput = ServiceInput<typeof listSessions>['query']
type Selection = { only?: string; except?: string }
type Display = { displaySize: string; displayWindowSize: string; displayZoom: string }
type Owner = { userId: string; currentId: string | null; now: Date; idleAlive: number }

/** The condition for sessions that have neither ended nor expired. */
const liveOf = ({ userId, now, idleAlive }: Omit<Owner, 'currentId'>) =>
  and(
    eq(sessions.userId, userId),
    isNull(sessions.endedAt),
    gt(sessions.expiresAt, now),
    gt(sessions.lastAccessAt, new Date(now.getTime() - idleAlive * 1000)),
  )

/** Returns one page of a user's live sessions for this caller, the current session first. */
export function selectSessionPage(
  query: ListInput,
  caller: string,
  pageSize: number | null,
  { currentId, ...owner }: Owner,
) {
  const live = liveOf(owner)
  return cursorPage(
    query,
    pageSize,
    {
      list: `user-sessions ${owner.userId}`,
      caller,
      sorts: { lastAccess: sessions.lastAccessAt, start: sessions.createdAt },
      first: sql`${sessions.id} is not distinct from ${currentId}::uuid`,
      tie: sessions.id,
      filters: {},
    },
    {
      rows: ({ where, orderBy, limit, offset, keys }) =>
        db()
          .select({ session: sessions, provider: providers.name, keys })
          .from(sessions)
          .leftJoin(providers, eq(providers.id, sessions.providerId))
          .where(and(live, where))
          .orderBy(...orderBy)
          .limit(limit)
          .offset(offset),
      count: () => db().$count(sessions, live),
    },
  )
}

/** Returns the ids of a user's selected live sessions. */
export const selectLiveSessions = (
  database: Database | Transaction,
  owner: Omit<Owner, 'currentId'>,
  { only, except }: Selection,
) =>
  database
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(liveOf(owner), only ? eq(sessions.id, only) : undefined, except ? ne(sessions.id, except) : undefined))

/** Stores the screen of a session, if it differs from the stored one. */
export const storeDisplay = (id: string, display: Display, now: Date) =>
  db()
    .update(sessions)
    .set({ ...display, changedAt: now })
    .where(
      and(
        eq(sessions.id, id),
        isNull(sessions.endedAt),
        sql`(${sessions.displaySize}, ${sessions.displayWindowSize}, ${sessions.displayZoom}) is distinct from
          (${display.displaySize}, ${display.displayWindowSize}, ${display.displayZoom})`,
      ),
    )

export const isSessionOpen = (id: string) => db().$count(sessions, and(eq(sessions.id, id), isNull(sessions.endedAt)))

export const hasAccount = async (userId: string) => (await db().$count(users, eq(users.id, userId))) > 0
