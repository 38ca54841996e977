import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db, type Transaction } from '@/db/client'
import { history, outboxEvents, providers, sessions } from '@/db/schema'
import type { Ctx } from '@/lib/base/context/ctx'
import { endSelected } from '@/lib/sign-in/own-sessions/of-person'
import { endSessionsOfProvider } from '@/lib/sign-in/sessions/by-provider'
import { endExpiredSessions } from '@/lib/sign-in/sessions/expire'
import { endUserSessions } from '@/lib/sign-in/sessions/service'
import { createContext } from '../../factories/context'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { statementsOf } from '../../factories/statements'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const heard: { event: string; userId: string; sessionId: string; data: { reason: string } }[] = []
let listener: pg.Client
let ctx: Ctx
let providerId: string
beforeAll(async () => {
  ctx = await createContext({ methods: ['users.write'] })
  listener = new pg.Client(process.env.DATABASE_URL)
  await listener.connect()
  listener.on('notification', ({ payload = '' }) => heard.push(JSON.parse(payload)))
  await listener.query('listen platform_live')
  const [provider] = await db()
    .insert(providers)
    .values({ type: 'keycloak', name: 'Каталог', url: 'https://idp.example', clientId: 'x', clientSecret: 'x' })
    .returning()
  providerId = provider?.id ?? ''
})
afterAll(() => listener.end())

const hours = (count: number) => new Date(Date.now() + count * 3_600_000)

/** Creates live sessions of a person, each with a session of the OpenID Provider; returns their ids. */
async function sessionsOf(userId: string, count: number, more: Partial<typeof sessions.$inferInsert> = {}) {
  const session = (n: number) => ({
    userId,
    expiresAt: hours(10),
    ip: `203.0.113.${n % 250}`,
    browser: n % 3 === 0 ? '' : `Chrome ${n}`,
    system: 'Windows',
    deviceType: 'desktop',
    oidcUid: randomUUID(),
    ...more,
  })
  const rows = await db()
    .insert(sessions)
    .values(Array.from({ length: count }, (_, n) => session(n)))
    .returning({ id: sessions.id, oidcUid: sessions.oidcUid })
  return rows
}

const queuedUids = async () => {
  const { rows } = await db().execute<{ uid: string }>(sql`
    select jobs.payload ->> 'uid' as uid from graphile_worker._private_jobs jobs
    join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id where tasks.identifier = 'oidcSessionEnded'`)
  return rows.map(({ uid }) => uid)
}

type Rows = Awaited<ReturnType<typeof sessionsOf>>
/** Checks that each of these sessions has ended for this reason, once, and that everybody has heard so. */
async function expectEnded(rows: Rows, reason: string, recorded: boolean) {
  const ids = rows.map(({ id }) => id)
  const stored = await db().select().from(sessions).where(inArray(sessions.id, ids))
  expect(stored.map(({ endReason }) => endReason)).toEqual(rows.map(() => reason))
  await expect
    .poll(() =>
      heard
        .filter(({ sessionId }) => ids.includes(sessionId))
        .map(({ sessionId }) => sessionId)
        .toSorted(),
    )
    .toEqual(ids.toSorted())
  for (const { event, sessionId, userId, data } of heard.filter((each) => ids.includes(each.sessionId)))
    expect({ event, userId, data }).toEqual({
      event: 'session-ended',
      userId: stored.find(({ id }) => id === sessionId)?.userId,
      data: { reason },
    })
  const uids = await queuedUids()
  for (const { oidcUid } of rows) expect(uids.filter((uid) => uid === oidcUid)).toHaveLength(1)
  const recordedRows = await db()
    .select()
    .from(history)
    .where(and(eq(history.entity, 'sessions'), inArray(history.entityId, ids)))
  const events = await db()
    .select()
    .from(outboxEvents)
    .where(and(eq(outboxEvents.entity, 'sessions'), inArray(outboxEvents.entityId, ids)))
  for (const session of recorded ? stored : []) {
    const of = recordedRows.filter(({ entityId }) => entityId === session.id)
    expect(of.map(({ type, field, previous, current }) => ({ type, field, previous, current }))).toEqual(
      [
        { field: 'browser', previous: session.browser },
        { field: 'system', previous: session.system },
        { field: 'ip', previous: session.ip },
      ].map((row) => ({ type: 'delete', ...row, current: null })),
    )
    expect(events.filter(({ entityId }) => entityId === session.id)).toMatchObject([{ type: 'delete' }])
  }
  if (!recorded) expect([...recordedRows, ...events]).toEqual([])
}

type Ending = { sessions: (userId: string, count: number) => Promise<Rows>; end: (userId: string) => Promise<unknown> }
const inTransaction = async (work: (tx: Transaction) => Promise<() => Promise<unknown>>) =>
  (await db().transaction(work))()
const endings: Record<string, Ending & { reason: string; recorded: boolean }> = {
  'by an administrator': {
    sessions: sessionsOf,
    end: (userId) =>
      inTransaction(async (tx) => (await endSelected(tx, ctx, userId, {}, 'endedByAdministrator')).afterCommit),
    reason: 'endedByAdministrator',
    recorded: true,
  },
  'with a password': {
    sessions: sessionsOf,
    end: (userId) => inTransaction((tx) => endUserSessions(tx, ctx, userId, 'passwordChanged')),
    reason: 'passwordChanged',
    recorded: false,
  },
  'by an identity provider': {
    sessions: (userId, count) => sessionsOf(userId, count, { providerId, providerSubject: userId }),
    end: (userId) =>
      inTransaction(
        async (tx) => (await endSessionsOfProvider(tx, ctx, { providerId, subject: userId, sid: null })).afterCommit,
      ),
    reason: 'signedOutAtProvider',
    recorded: true,
  },
  'by their time': {
    sessions: (userId, count) => sessionsOf(userId, count, { expiresAt: hours(-1) }),
    end: () => endExpiredSessions(new Date()),
    reason: 'expired',
    recorded: false,
  },
}

describe.each(Object.entries(endings))('sessions that end %s', (_, { sessions: create, end, reason, recorded }) => {
  test('need as many statements for thirty as for three, and each has its history, event, job and notice', async () => {
    const costOf = async (count: number) => {
      const user = await createUser()
      const rows = await create(user.id, count)
      const statements = await statementsOf(() => end(user.id))
      await expectEnded(rows, reason, recorded)
      return statements
    }
    // settings and connections are read before
    await costOf(2)
    const [few, many] = [await costOf(3), await costOf(30)]
    expect(many.length, many.join('\n\n')).toBe(few.length)
  })
})

test('thirty at once end each session once, whoever wins, and nobody is the victim of a deadlock', async () => {
  const random = caseNumbers(112)
  for (const _ of eachRound(5)) {
    const people = await Promise.all(Array.from({ length: 3 }, () => createUser()))
    const rows = (
      await Promise.all(people.map(({ id }) => endings['by an identity provider']?.sessions(id, 9) ?? []))
    ).flat()
    const before = heard.length
    const kinds = Object.values(endings)
    await Promise.all(
      Array.from({ length: 30 }, () => kinds[random(kinds.length)]?.end(people[random(people.length)]?.id ?? '')),
    )
    for (const { id } of people) await endings['by an administrator']?.end(id)
    const open = and(
      inArray(
        sessions.id,
        rows.map(({ id }) => id),
      ),
      isNull(sessions.endedAt),
    )
    expect(await db().$count(sessions, open)).toBe(0)
    await expect.poll(() => heard.length - before).toBe(rows.length)
    expect(new Set(heard.slice(before).map(({ sessionId }) => sessionId)).size).toBe(rows.length)
    const uids = await queuedUids()
    for (const { oidcUid } of rows) expect(uids.filter((uid) => uid === oidcUid)).toHaveLength(1)
    const events = await db()
      .select({ id: outboxEvents.entityId })
      .from(outboxEvents)
      .where(
        and(
          eq(outboxEvents.entity, 'sessions'),
          inArray(
            outboxEvents.entityId,
            rows.map(({ id }) => id),
          ),
        ),
      )
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  }
})
