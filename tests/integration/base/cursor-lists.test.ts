import { randomUUID } from 'node:crypto'
import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { type CursorParts, cursorPage, type Order } from '@/db/cursor'
import { countRows } from '@/db/list'
import { networkAliases, sessions } from '@/db/schema'
import type { CursorMeta } from '@/lib/base/lists/lists'
import { AppError } from '@/lib/base/runtime/errors'
import { randomNumbers } from '../../factories/random'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'
import { rounds, seedOf } from '../../setup/scope'

useTestDatabase()

/** Random numbers of a seed. */
function dice(seed: number) {
  const below = randomNumbers(seedOf(seed))
  return { below, one: <T>(list: readonly T[]) => list[below(list.length)] as T }
}
type Dice = ReturnType<typeof dice>

/** Sorts of every kind: with and without nulls, times with microseconds, texts unchanged and folded. */
const orders = {
  created: sessions.createdAt,
  ended: sessions.endedAt,
  mark: sessions.oidcUid,
  system: sessions.system,
  folded: { by: sql`lower(${sessions.browser})`, type: 'text', nullable: false },
  collated: { by: sql`${sessions.browser} collate "C"`, type: 'text', nullable: false },
  size: { by: sql`length(${sessions.deviceHash})`, type: 'integer', nullable: true },
} satisfies Record<string, Order>
type Sort = keyof typeof orders
const expressionOf = (sort: Sort) => {
  const order = orders[sort]
  return 'by' in order ? order.by : sql`${order}`
}

const words = ['a', 'A', 'ä', 'Б', 'б', 'ё', 'e', ' ', '_', '-', '', 'ß', 'Z', '€'] as const
const at = (roll: Dice) => sql`timestamptz '2026-03-29 00:59:59+00' + ${roll.below(4)} * interval '1 microsecond'`
const maybe = <T>(roll: Dice, value: T) => (roll.below(3) === 0 ? null : value)
const row = (roll: Dice, userId: string) => ({
  id: randomUUID(),
  userId,
  ip: '',
  deviceType: 'desktop',
  createdAt: at(roll),
  expiresAt: at(roll),
  endedAt: maybe(roll, at(roll)),
  oidcUid: maybe(roll, roll.one(words)),
  deviceHash: maybe(roll, 'x'.repeat(roll.below(4))),
  browser: `${roll.one(words)}${roll.one(words)}`,
  system: roll.one(words),
})
const insert = (roll: Dice, userId: string, count: number) =>
  db()
    .insert(sessions)
    .values(Array.from({ length: count }, () => row(roll, userId)))

type Walked = { sortBy: Sort; sort: 'asc' | 'desc'; first: SQL | undefined; perPage: number; userId: string }

const page = (
  { userId, first, ...how }: Walked,
  place: { after?: string; before?: string; page?: number },
  total?: 5,
) =>
  cursorPage(
    { page: 1, filter: {}, ...how, ...place },
    null,
    {
      list: 'walked',
      caller: userId,
      sorts: orders,
      filters: {},
      tie: sessions.id,
      ...(first ? { first } : {}),
      ...(total ? { total } : {}),
    },
    {
      rows: ({ where, orderBy, limit, offset, keys }) =>
        db()
          .select({ id: sessions.id, keys })
          .from(sessions)
          .where(and(eq(sessions.userId, userId), where))
          .orderBy(...orderBy)
          .limit(limit)
          .offset(offset),
      count: (where, atMost) => countRows(sessions, and(eq(sessions.userId, userId), where), atMost),
    },
  )

/** Returns the ids in the order of one statement. */
async function ordered({ sortBy, sort, first, userId }: Walked): Promise<string[]> {
  const direction = sort === 'asc' ? asc : desc
  const rows = await db()
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(...(first ? [desc(first)] : []), direction(expressionOf(sortBy)), direction(sessions.id))
  return rows.map(({ id }) => id)
}

/** Reads all pages from the beginning to the end; `between` runs before each further page. */
async function walk(how: Walked, between: () => Promise<unknown> = async () => {}) {
  const seen: string[] = []
  let place: { after?: string } = {}
  for (;;) {
    const { rows, meta }: { rows: { id: string }[]; meta: CursorMeta } = await page(how, place)
    expect(rows.length).toBeLessThanOrEqual(how.perPage)
    seen.push(...rows.map(({ id }) => id))
    if (!meta.after) return seen
    place = { after: meta.after }
    await between()
  }
}

async function scene(seed: number): Promise<{ roll: Dice; how: Walked }> {
  const roll = dice(seed)
  const { id: userId } = await createUser()
  await insert(roll, userId, 10 + roll.below(50))
  const walked: Walked = {
    sortBy: roll.one(Object.keys(orders) as Sort[]),
    sort: roll.one(['asc', 'desc'] as const),
    first: roll.below(3) === 0 ? sql`${sessions.system} = 'a'` : undefined,
    perPage: 1 + roll.below(9),
    userId,
  }
  return { roll, how: walked }
}
const named = (seed: number, { first, ...how }: Walked) => JSON.stringify({ seed, ...how, first: first !== undefined })
const seeds = Array.from({ length: rounds(120) }, (_, n) => n + 1)

describe('walking by cursor', () => {
  test('returns the rows of one statement, forwards and backwards, with any sort and page size', async () => {
    for (const seed of seeds) {
      const { how } = await scene(seed)
      const expected = await ordered(how)
      expect(await walk(how), named(seed, how)).toEqual(expected)

      let { rows, meta } = await page(how, { page: Math.ceil(expected.length / how.perPage) })
      const idsBack = rows.map(({ id }) => id)
      while (meta.before) {
        ;({ rows, meta } = await page(how, { before: meta.before }))
        idsBack.unshift(...rows.map(({ id }) => id))
      }
      expect(idsBack, named(seed, how)).toEqual(expected)
    }
  }, 120_000)

  test('returns each row that stayed once and in order, while others are added and deleted', async () => {
    for (const seed of seeds) {
      const { roll, how } = await scene(seed)
      const begun = await ordered(how)
      const seen = await walk(how, async () => {
        const deleted = (await ordered(how)).filter(() => roll.below(12) === 0)
        if (deleted.length > 0) await db().delete(sessions).where(inArray(sessions.id, deleted))
        // fewer rows than a page has, or the walk would never end
        if (how.perPage > 2 && roll.below(2) === 0) await insert(roll, how.userId, 1)
      })
      const remaining = await ordered(how)
      const stayed = remaining.filter((id) => begun.includes(id))
      expect(
        seen.filter((id) => stayed.includes(id)),
        named(seed, how),
      ).toEqual(stayed)
      expect(new Set(seen).size).toBe(seen.length)
    }
  }, 120_000)

  test('leads back from after the end, and on from before the beginning, without losing a row', async () => {
    const { roll, how } = await scene(7)
    const begun = await ordered({ ...how, perPage: 3 })
    const first = await page({ ...how, perPage: 3 }, {})
    const last = await page({ ...how, perPage: 3 }, { page: Math.ceil(begun.length / 3) - 1 })
    const secondPage = await page({ ...how, perPage: 3 }, { after: String(first.meta.after) })
    await db()
      .delete(sessions)
      .where(inArray(sessions.id, begun.slice(-3)))
    const beyond = await page({ ...how, perPage: 3 }, { after: String(last.meta.after) })
    if (beyond.rows.length === 0) {
      const pageBack = await page({ ...how, perPage: 3 }, { before: String(beyond.meta.before) })
      expect(pageBack.rows.at(-1)?.id).toBe((await ordered(how)).at(-1))
    }
    await db()
      .delete(sessions)
      .where(inArray(sessions.id, begun.slice(0, 3)))
    const none = await page({ ...how, perPage: 3 }, { before: String(secondPage.meta.before) })
    expect([none.rows, none.meta.before]).toEqual([[], null])
    const on = await page({ ...how, perPage: 3 }, { after: String(none.meta.after) })
    expect(on.rows.map(({ id }) => id)).toEqual((await ordered(how)).slice(0, 3))
    expect(roll.below(1)).toBe(0)
  })

  test('by a nullable expression that isn’t declared nullable fails instead of losing rows', async () => {
    const { how } = await scene(5)
    await db().update(sessions).set({ deviceHash: null }).where(eq(sessions.userId, how.userId))
    const careless = { ...orders.size, nullable: false }
    const read = cursorPage(
      { page: 1, perPage: 2, filter: {}, sortBy: 'size', sort: 'asc' },
      null,
      { list: 'careless', caller: 'x', sorts: { size: careless }, filters: {}, tie: sessions.id, total: 'none' },
      {
        rows: ({ orderBy, limit, keys }) =>
          db()
            .select({ id: sessions.id, keys })
            .from(sessions)
            .where(eq(sessions.userId, how.userId))
            .orderBy(...orderBy)
            .limit(limit),
        count: async () => 0,
      },
    )
    await expect(read).rejects.toThrow('careless')
  })

  test('counts up to a limit if the list asks for it', async () => {
    const { how } = await scene(3)
    expect((await page(how, {}, 5)).meta).toMatchObject({
      page: 1,
      total: 5,
      more: true,
      pages: Math.ceil(5 / how.perPage),
    })
    const { id: userId } = await createUser()
    expect((await page({ ...how, userId }, {}, 5)).meta).toEqual({
      page: 1,
      perPage: how.perPage,
      pages: 0,
      total: 0,
      after: null,
      before: null,
    })
  })
})

describe('the statement of a page by cursor', () => {
  test.each([
    ['name', 'network_aliases_name'],
    ['updatedAt', 'network_aliases_updated'],
  ] as const)('reads by the index of %s from its place on, and no rows before it', async (by, index) => {
    await db().execute(sql`insert into ${networkAliases} (name, updated_at)
      select ${by} || n, now() - n * interval '3 microseconds' from generate_series(1, 20000) n`)
    await db().execute(sql`analyze ${networkAliases}`)
    let plan = ''
    let cost = 0
    const rows = async ({ where, orderBy, limit, keys }: CursorParts) => {
      const query = db()
        .select({ id: networkAliases.id, keys })
        .from(networkAliases)
        .where(where)
        .orderBy(...orderBy)
        .limit(limit)
      const explained = await db().execute<{ 'QUERY PLAN': string }>(sql`explain (analyze, timing off) ${query}`)
      plan = explained.rows.map((line) => line['QUERY PLAN']).join('\n')
      cost = Math.max(...[...plan.matchAll(/rows=([\d.]+) loops/g)].map(([, count]) => Number(count)))
      return query
    }
    const read = (place: object) =>
      cursorPage(
        { page: 1, perPage: 20, filter: {}, sortBy: by, sort: 'asc', ...place },
        null,
        {
          list: 'planned',
          caller: 'x',
          sorts: { name: networkAliases.name, updatedAt: networkAliases.updatedAt },
          filters: {},
          tie: networkAliases.id,
          total: 'none',
        },
        { rows, count: async () => 0 },
      )
    const { meta } = await read({ page: 900 })
    await read({ after: meta.after ?? '' })
    expect(plan).toContain(index)
    expect(plan).not.toContain('Seq Scan')
    expect(cost, plan).toBeLessThan(200)
  })
})

describe('an invalid cursor', () => {
  const refused = async (work: Promise<unknown>) => {
    const error = await work.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AppError)
    const { status, data } = error as AppError
    expect({ status, ...data }).toEqual({ status: 400, errorList: [{ field: 'meta.after', code: 'errorCursor' }] })
  }

  test('of another sort, direction, list or person answers 400', async () => {
    const { how } = await scene(11)
    const fixed: Walked = { ...how, sortBy: 'created', sort: 'asc', first: undefined, perPage: 2 }
    const after = String((await page(fixed, {})).meta.after)
    await page(fixed, { after })
    await page({ ...fixed, perPage: 5 }, { after })
    await refused(page({ ...fixed, sort: 'desc' }, { after }))
    await refused(page({ ...fixed, sortBy: 'ended' }, { after }))
    await refused(page({ ...fixed, first: sql`${sessions.system} = 'a'` }, { after }))
    await refused(page({ ...fixed, userId: (await createUser()).id }, { after }))
  })

  test('that is changed in any character, cut off or invented answers 400, and nothing of it reaches PostgreSQL', async () => {
    const { how } = await scene(12)
    const fixed: Walked = { ...how, perPage: 2 }
    const after = String((await page(fixed, {})).meta.after)
    // another last character may encode the same bytes
    for (const [n, sign] of [...after.slice(0, -1)].entries())
      await refused(page(fixed, { after: `${after.slice(0, n)}${sign === 'A' ? 'B' : 'A'}${after.slice(n + 1)}` }))
    for (const made of ['', 'x', 'a.b.c', '..', after.slice(0, -5), `${after}${after}`, btoa('{"k":["1","2"]}')])
      await refused(page(fixed, { after: made }))
  })

  test('reveals nothing of its values', async () => {
    const { id: userId } = await createUser()
    await insert(dice(1), userId, 5)
    await db().update(sessions).set({ browser: 'unmistakable' }).where(eq(sessions.userId, userId))
    const walked: Walked = { userId, sortBy: 'folded', sort: 'asc', first: undefined, perPage: 2 }
    const { after } = (await page(walked, {})).meta
    const readable = String(after)
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('latin1'))
      .join()
    expect(`${after}${readable}`).not.toContain('unmistakable')
  })
})
