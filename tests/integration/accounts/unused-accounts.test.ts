import { randomUUID } from 'node:crypto'
import { eq, inArray, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { checkDatabase } from '@/bin/server/start-checks'
import { db } from '@/db/client'
import { fillVisits, lacksVisits } from '@/db/migrate/visits'
import { sessions, users, userVisits } from '@/db/schema'
import { listUsers } from '@/lib/accounts/administration/contract'
import { readWhole } from '@/lib/accounts/administration/queries'
import type { CallOutput } from '@/lib/base/contracts/contract'
import { env } from '@/lib/base/runtime/env'
import { removeEndedSessions } from '@/lib/sign-in/sessions/retention'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { callerFor } from '../../factories/caller'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

// docs/rules/people.md#accounts: how long nobody has used a session of an account
useTestDatabase()

const random = caseNumbers(6174)
const maybe = (oneIn: number) => random(oneIn) === 0
const day = 86_400_000
let owner: pg.Client
beforeAll(async () => {
  const { pathname } = new URL(process.env.DATABASE_URL ?? '')
  owner = new pg.Client(Object.assign(new URL(inject('ownerUrl')), { pathname }).href)
  await owner.connect()
})
afterAll(() => owner?.end())

type Use = { userId: string; begun: number; used: number }

/** Sessions of people that began, were used and ended at random times; some people have none. */
async function plant(count: number) {
  const people = Array.from({ length: count }, (_, n) => ({
    id: randomUUID(),
    login: `${n}-${randomUUID()}`,
    enabled: !maybe(4),
  }))
  await db().insert(users).values(people)
  const uses: Use[] = []
  for (const { id: userId } of people)
    for (let n = random(4); n > 0; n--) {
      const begun = Date.now() - random(200) * day - random(day)
      uses.push({ userId, begun, used: Math.min(Date.now(), begun + random(30) * day) })
    }
  // a session begins before it is used, and no two in the order of time
  for (const use of uses) {
    const at = new Date(use.begun)
    const [row] = await db()
      .insert(sessions)
      .values({
        ...{ userId: use.userId, createdAt: at, lastAccessAt: at, ip: '', deviceType: 'desktop' },
        ...{ expiresAt: new Date(use.begun + 60 * day), deviceHash: `d${random(3)}` },
      })
      .returning({ id: sessions.id })
    const endedAt = maybe(3) ? null : new Date(use.used)
    await db()
      .update(sessions)
      .set({ lastAccessAt: new Date(use.used), endedAt, endReason: endedAt && 'signedOut' })
      .where(eq(sessions.id, row?.id ?? ''))
  }
  return { people, uses }
}
type Planted = Awaited<ReturnType<typeof plant>>

async function expectUnused({ people, uses }: Planted, rounds: number) {
  const caller = await callerFor(listUsers)
  for (let n = 0; n < rounds; n++) {
    const unseenDays = 1 + random(220)
    const enabled = maybe(3) ? maybe(2) : undefined
    const since = Date.now() - unseenDays * day
    const isExpected = (person: Planted['people'][number]) =>
      (enabled === undefined || person.enabled === enabled) &&
      !uses.some(({ userId, used }) => userId === person.id && used >= since)
    const expected = people.filter(isExpected).map(({ id }) => id)
    const listed: string[] = []
    for (let after: string | null | undefined; after !== null; ) {
      const filter = { unseenDays, ...(enabled === undefined ? {} : { enabled }) }
      const query: object = { filter, meta: { perPage: 100, ...(after ? { after } : {}) } }
      const page: CallOutput<typeof listUsers> = await caller.call(listUsers, { query } as never)
      listed.push(...page.users.map(({ id }) => id))
      after = page.meta.after
    }
    const ofPlanted = listed.filter((id) => people.some((person) => person.id === id))
    expect([unseenDays, enabled, ofPlanted.toSorted()]).toEqual([unseenDays, enabled, expected.toSorted()])
  }
}

/** Returns accounts whose stored time is later than the last use, or that have none. */
const wrongVisits = async () =>
  (
    await db().execute(sql`
      select u.id from ${users} u left join ${userVisits} v on v.user_id = u.id
      where v.user_id is null or v.visited_at > coalesce((select max(s.last_access_at) from ${sessions} s where s.user_id = u.id), '-infinity')`)
  ).rows

test.each([0, 5, 2_000])(
  'whom nobody has used for days is found whatever began, was used and ended, at most %i accounts read whole',
  async (atMost) => {
    const original = { ...readWhole }
    Object.assign(readWhole, { atMost })
    onTestFinished(() => void Object.assign(readWhole, original))
    for (const _ of eachRound(5)) {
      const planted = await plant(25)
      await expectUnused(planted, 8)
      expect(await wrongVisits()).toEqual([])
      // what housekeeping deletes says no other time
      await removeEndedSessions({ ended: new Date(Date.now() - 30 * day), kept: new Date(Date.now() - 90 * day) })
      await expectUnused(planted, 4)
      expect(await wrongVisits()).toEqual([])
    }
  },
)

test('thirty sign-ins of one account at once, and the first of each day alone writes', async () => {
  const user = await createUser()
  expect((await thirty(() => signInByPassword(new Browser(), user.login, password))).length).toBe(30)
  const visit = async () =>
    (
      await db().execute<{ at: string; xmin: string }>(
        sql`select visited_at::text as at, xmin::text from ${userVisits} where user_id = ${user.id}`,
      )
    ).rows[0]
  const first = await visit()
  expect(Date.parse(first?.at ?? '')).toBeGreaterThan(Date.now() - 600_000)
  await signInByPassword(new Browser(), user.login, password)
  expect(await visit()).toEqual(first)
  await db().execute(sql`update ${userVisits} set visited_at = now() - interval '25 hours' where user_id = ${user.id}`)
  await signInByPassword(new Browser(), user.login, password)
  expect(Date.parse((await visit())?.at ?? '')).toBeGreaterThan(Date.now() - 600_000)
})

test('accounts of the release before get their times while others are used, changed and deleted', async () => {
  const { people, uses } = await plant(40)
  await db().delete(userVisits)
  await expect(checkDatabase(env())).rejects.toThrow(/is not migrated/)
  const deletedIds = people.slice(0, 10).map(({ id }) => id)
  const holding = new pg.Client(process.env.DATABASE_URL)
  await holding.connect()
  await holding.query('begin')
  await holding.query('delete from users where id = any($1)', [deletedIds])
  const filling = fillVisits(owner)
  // it waits for the deletion, and nobody waits for it
  await db()
    .update(users)
    .set({ comment: 'changed' })
    .where(
      inArray(
        users.id,
        people.slice(10).map(({ id }) => id),
      ),
    )
  await createUser()
  await holding.query('commit')
  await holding.end()
  await filling
  expect(await lacksVisits(owner)).toBe(false)
  expect(await wrongVisits()).toEqual([])
  await checkDatabase(env())
  await expectUnused({ people: people.slice(10), uses }, 5)
  await db()
    .delete(users)
    .where(
      inArray(
        users.id,
        people.map(({ id }) => id),
      ),
    )
  expect(
    await db()
      .select()
      .from(userVisits)
      .where(
        inArray(
          userVisits.userId,
          people.map(({ id }) => id),
        ),
      ),
  ).toEqual([])
})
