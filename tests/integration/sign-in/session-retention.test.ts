import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull, lt, ne, or, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { inKnownBrowser } from '@/db/known-browsers'
import { personDomain } from '@/db/person-domain'
import { domains, sessions, users } from '@/db/schema'
import { forgetBrowserOf } from '@/lib/sign-in/sessions/queries'
import { removeEndedSessions } from '@/lib/sign-in/sessions/retention'
import { platformHousekeeping } from '@/lib/wiring/housekeeping'
import { Browser } from '../../factories/browser'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { setSetting } from '../../factories/settings'
import { signInByPassword, signOut } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const day = 86_400_000
/** Days for which ended sessions, and those that something needs, are kept. */
const [few, many] = [30, 90]
const places: string[] = []
beforeAll(async () => {
  for (let n = 0; n < 3; n++) {
    const [domain] = await db().insert(domains).values({}).returning({ id: domains.id })
    places.push(domain?.id ?? '')
  }
})

/** A session with what it was at first: what the platform would know if nothing were ever deleted. */
type Session = {
  id: string
  createdAt: number
  lastAccessAt: number
  endedAt: number | null
  endReason: string | null
  device: string
  forgotten: boolean
  /** Its browser was none of the last ten once it had ended long ago: it proves nothing any more. */
  gone: boolean
  domainId: string
}
type Person = { id: string; passwordChangedAt: number; sessions: Session[] }

const bad = ['endedByUser', 'passwordChanged']
const reasons = ['signedOut', 'expired', 'replaced', ...bad]

/** The last ten browsers by these sessions. */
function lastTen(all: readonly Session[]): string[] {
  const seen = new Map<string, number>()
  for (const { device, createdAt } of all) seen.set(device, Math.max(seen.get(device) ?? 0, createdAt))
  const last = [...seen].sort(([, one], [, other]) => other - one).slice(0, 10)
  return last.map(([device]) => device)
}

/** The browsers that an account knows by ADR 21 if these are all of its sessions. */
function knownBy({ passwordChangedAt }: Person, all: readonly Session[], ranks: readonly Session[]) {
  return new Set(
    lastTen(ranks).filter((device) =>
      all.some(
        (one) =>
          one.device === device &&
          !one.forgotten &&
          !bad.includes(one.endReason ?? '') &&
          one.createdAt >= passwordChangedAt,
      ),
    ),
  )
}

async function stored(person: Person) {
  const { rows } = await db().execute<{ known: string[]; seen: Date | null }>(sql`select
    array(select distinct s.device_hash from ${sessions} s where ${inKnownBrowser(sql`${person.id}::uuid`)}) as known,
    (select (extract(epoch from max(s.last_access_at)) * 1000)::float8 from ${sessions} s where s.user_id = ${person.id}) as seen`)
  return { known: new Set(rows[0]?.known), seen: Number(rows[0]?.seen ?? 0) }
}

async function domainOf(person: Person, served: string[]) {
  const [row] = await db()
    .select({ domain: personDomain({ served, base: randomUUID() }) })
    .from(users)
    .where(eq(users.id, person.id))
  return row?.domain
}

test('whatever people do, nothing that anybody asks of ended sessions is lost, and nothing else stays', async () => {
  const random = caseNumbers(4141)
  for (const _ of eachRound(5)) {
    const people: Person[] = []
    for (let n = 0; n < 3; n++)
      people.push({ id: (await createUser({ roles: [] })).id, passwordChangedAt: 0, sessions: [] })
    let now = Date.now()
    for (let step = 0; step < 16; step++) {
      now += day * (1 + random(25))
      for (const person of people) {
        for (let n = random(9); n > 0; n--) {
          const createdAt = now - random(6 * day)
          const lasted = random(3 * day)
          const made: Session = {
            id: randomUUID(),
            createdAt,
            lastAccessAt: createdAt + lasted,
            endedAt: null,
            endReason: null,
            device: `${person.id} ${random(step < 8 ? 24 : 6)}`,
            forgotten: false,
            gone: false,
            domainId: places[random(places.length)] ?? '',
          }
          person.sessions.push(made)
          await db()
            .insert(sessions)
            .values({
              id: made.id,
              userId: person.id,
              domainId: made.domainId,
              createdAt: new Date(createdAt),
              lastAccessAt: new Date(made.lastAccessAt),
              expiresAt: new Date(createdAt + 7 * day),
              ip: '203.0.113.9',
              userAgent: 'agent',
              browser: 'Firefox',
              system: 'Linux',
              deviceType: 'desktop',
              deviceHash: made.device,
            })
        }
        for (const one of person.sessions) {
          if (one.endedAt || random(4) === 0) continue
          Object.assign(one, { endedAt: Math.max(one.lastAccessAt, now - random(day)) })
          one.endReason = reasons[random(reasons.length)] ?? null
          await db()
            .update(sessions)
            .set({ endedAt: new Date(one.endedAt ?? 0), endReason: one.endReason })
            .where(eq(sessions.id, one.id))
        }
        if (random(8) === 0) {
          person.passwordChangedAt = now - random(5 * day)
          await db()
            .update(users)
            .set({ passwordChangedAt: new Date(person.passwordChangedAt) })
            .where(eq(users.id, person.id))
        }
        const reported = person.sessions.at(-1)
        if (reported && !reported.forgotten && !reported.endedAt && random(4) === 0) {
          for (const one of person.sessions) if (one.device === reported.device) one.forgotten = true
          await db().transaction((tx) => forgetBrowserOf(tx, person.id, reported.id))
        }
      }
      const [ended, kept] = [now - few * day, now - many * day]
      const tidy = () => removeEndedSessions({ ended: new Date(ended), kept: new Date(kept) })
      await Promise.all([tidy(), tidy()])
      await tidy()
      for (const person of people) {
        const all = person.sessions
        const { known, seen } = await stored(person)
        const recent = all.filter(({ endedAt }) => endedAt === null || endedAt >= kept)
        // what was known and whose proof isn't too old is known; nothing else is
        const ten = lastTen(all)
        for (const one of all) if (one.endedAt && one.endedAt < ended && !ten.includes(one.device)) one.gone = true
        const proving = recent.filter(({ gone }) => !gone)
        for (const device of knownBy(person, proving, all))
          if (lastTen(recent).includes(device)) expect([...known]).toContain(device)
        const standing = recent.filter(({ forgotten }) => !forgotten)
        const most = knownBy(person, recent, standing)
        for (const device of known) expect([...most]).toContain(device)
        expect(seen).toBe(Math.max(0, ...all.map(({ lastAccessAt }) => lastAccessAt)))
        const served = places.filter(() => random(2) === 0)
        const servedSessions = all
          .filter(({ domainId }) => served.includes(domainId))
          .sort((a, b) => b.createdAt - a.createdAt)
        if (servedSessions[0]) expect(await domainOf(person, served)).toBe(servedSessions[0].domainId)
        // what hasn't ended, or has ended of late, stays whole
        const rows = await db().select().from(sessions).where(eq(sessions.userId, person.id))
        const ids = new Set(rows.map(({ id }) => id))
        for (const one of all) if (one.endedAt === null || one.endedAt >= ended) expect(ids.has(one.id)).toBe(true)
        const old = rows.filter(({ endedAt }) => endedAt && endedAt.getTime() < ended)
        expect(old.length).toBeLessThanOrEqual(2 * 10 + places.length + 1)
        const bare = rows.filter(({ endedAt }) => endedAt && endedAt.getTime() < kept)
        expect(bare.length).toBeLessThanOrEqual(places.length + 1)
        for (const { ip, userAgent, browser, system, deviceType, deviceHash } of bare)
          expect({ ip, userAgent, browser, system, deviceType, deviceHash }).toEqual({
            ip: '',
            userAgent: '',
            browser: '',
            system: '',
            deviceType: '',
            deviceHash: null,
          })
      }
    }
  }
})

test('of the sessions that speak for a browser the one that ended last is kept, whichever began first', async () => {
  const { id: userId } = await createUser({ roles: [] })
  const now = Date.now()
  const add = (deviceHash: string, made: number, endedAt: number) => {
    const [createdAt, ended] = [new Date(now - made * day), new Date(now - endedAt * day)]
    const times = { createdAt, lastAccessAt: createdAt, expiresAt: ended, endedAt: ended, endReason: 'expired' }
    return db()
      .insert(sessions)
      .values({ userId, ip: '203.0.113.9', deviceType: 'desktop', deviceHash, ...times })
  }
  await add('long', 140, 86)
  await add('long', 110, 105)
  await add('other', 10, 9)
  for (const ago of [50, 0]) {
    const before = (days: number) => new Date(now - (ago + days) * day)
    await removeEndedSessions({ ended: before(few), kept: before(many) })
  }
  const devices = sql`select distinct s.device_hash as device from ${sessions} s where ${inKnownBrowser(sql`${userId}::uuid`)}`
  expect((await db().execute<{ device: string }>(devices)).rows.map(({ device }) => device).sort()).toEqual([
    'long',
    'other',
  ])
})

test('an account whose ends are many goes in small statements, with those of others as they are', async () => {
  const [busy, other] = [await createUser({ roles: [] }), await createUser({ roles: [] })]
  const fill = (userId: string, count: number, days: number) =>
    db().execute(sql`insert into ${sessions} (user_id, created_at, last_access_at, expires_at, ended_at, end_reason, ip, device_type, device_hash)
      select ${userId}, t, t, t, t, 'signedOut', '', 'desktop', 'd' || n % 40
      from (select n, now() - ${days} * interval '1 day' - n * interval '1 minute' as t from generate_series(1, ${count}) n) made`)
  await fill(busy.id, 5_000, 31)
  await fill(other.id, 20, 29)
  await platformHousekeeping.endedSessions?.(new Date())
  expect(await db().$count(sessions, eq(sessions.userId, busy.id))).toBe(10)
  expect(await db().$count(sessions, eq(sessions.userId, other.id))).toBe(20)
  // they have been looked at, and the next run passes them by
  expect(await db().$count(sessions, and(eq(sessions.userId, busy.id), eq(sessions.keptAs, 'whole')))).toBe(10)
})

test('a person who comes back after a month is known in their browser, after a year no more; it is seen when they were here', async () => {
  const user = await createUser()
  const browser = new Browser()
  expect((await signInByPassword(browser, user.login, password)).status).toBe(200)
  await signOut(browser)
  const knows = async () =>
    (await db().execute(sql`select from ${sessions} s where ${inKnownBrowser(sql`${user.id}::uuid`)} limit 1`)).rows
      .length === 1
  const pass = async (days: number) => {
    await db().execute(sql`update ${sessions} set ended_at = ended_at - ${days} * interval '1 day',
      created_at = created_at - ${days} * interval '1 day', last_access_at = last_access_at - ${days} * interval '1 day'
      where user_id = ${user.id}`)
    await platformHousekeeping.endedSessions?.(new Date())
  }
  await pass(40)
  expect(await knows()).toBe(true)
  await pass(326)
  expect(await knows()).toBe(false)
  const rows = await db().select().from(sessions).where(eq(sessions.userId, user.id))
  expect(rows).toMatchObject([{ ip: '', userAgent: '', browser: '', deviceHash: null, keptAs: 'bare' }])
  expect(rows[0]?.lastAccessAt.getTime()).toBeLessThan(Date.now() - 365 * day)
})

test('the settings say how long', async () => {
  const { id } = await createUser({ roles: [] })
  const endSession = (days: number) => {
    const at = new Date(Date.now() - days * day)
    const times = { createdAt: at, lastAccessAt: at, expiresAt: at, endedAt: at, endReason: 'endedByUser' }
    return db()
      .insert(sessions)
      .values({ userId: id, ip: '203.0.113.9', deviceType: 'desktop', deviceHash: `${days}`, ...times })
  }
  for (const days of [1, 40, 70, 100]) await endSession(days)
  const countKept = async () => {
    await platformHousekeeping.endedSessions?.(new Date())
    const named = and(eq(sessions.userId, id), or(ne(sessions.ip, ''), isNotNull(sessions.deviceHash)))
    return db().$count(sessions, named)
  }
  await setSetting('interactionRetention', 90)
  await setSetting('historyRetention', 400)
  // each is the newest of its browser
  expect(await countKept()).toBe(4)
  await setSetting('interactionRetention', 30)
  await setSetting('historyRetention', 60)
  expect(await countKept()).toBe(2)
  expect(
    await db().$count(sessions, and(eq(sessions.userId, id), lt(sessions.endedAt, new Date(Date.now() - 60 * day)))),
  ).toBe(0)
})
