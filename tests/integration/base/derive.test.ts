import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { db } from '@/db/client'
import { cached, derive, dropAllCached, dropCached, invalidate } from '@/lib/base/cache/cache'
import { ensureListening } from '@/lib/base/cache/notifications'
import { redis } from '@/lib/base/redis/redis'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

beforeEach(async () => {
  expect(await ensureListening()).toBe(true)
  dropAllCached()
})
afterEach(() => vi.useRealTimers())

const one = () => db().execute(sql`select 1`)

test('a derived value is current until a commit invalidates what it read, in whichever part', async () => {
  const inner = () => cached('derived-inner', one)
  const outer = () => cached('derived-outer:1', inner)
  const derived = await derive(async () => [await outer(), await cached('derived-other', one)])
  expect([derived.isCurrent(), derived.readsStores]).toEqual([true, false])
  await db()
    .transaction(async (tx) => {
      await invalidate(tx, 'derived-outer')
      throw new Error('rolled back')
    })
    .catch(() => {})
  expect(derived.isCurrent()).toBe(true)
  await db().transaction((tx) => invalidate(tx, 'derived-outer'))
  await expect.poll(derived.isCurrent).toBe(false)
  // read anew, but not by what was derived before
  await outer()
  expect(derived.isCurrent()).toBe(false)
})

test('what is invalidated while a value is derived makes it out of date', async () => {
  const during = await derive(async () => {
    const value = await cached('derived-inner', one)
    dropCached('derived-inner')
    return value
  })
  expect(during.isCurrent()).toBe(false)
  let loaded = () => {}
  const slow = cached('derived-slow', () => new Promise<void>((resolve) => (loaded = resolve)))
  const beside = derive(() => cached('derived-slow', async () => {}))
  dropAllCached()
  loaded()
  await slow
  expect((await beside).isCurrent()).toBe(false)
})

test('what reads a store other than through the cache says so, also beside what is cached', async () => {
  const direct: (() => Promise<unknown>)[] = [
    one,
    () => db().transaction((tx) => tx.execute(sql`select 1`)),
    () => redis().get('derived-key'),
  ]
  for (const read of direct) {
    expect(await derive(read)).toMatchObject({ readsStores: true })
    expect(await derive(() => cached('derived-inner', read))).toMatchObject({
      readsStores: false,
    })
    dropAllCached()
    expect(await derive(async () => [await cached('derived-inner', async () => 1), await read()])).toMatchObject({
      readsStores: true,
    })
  }
})

test('a derived value is as old as its oldest part, and none outlives a lost connection', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await cached('derived-inner', one)
  vi.advanceTimersByTime(20_000)
  const derived = await derive(() => cached('derived-outer', () => cached('derived-inner', one)))
  vi.advanceTimersByTime(9_000)
  expect(derived.isCurrent()).toBe(true)
  vi.advanceTimersByTime(1_001)
  expect(derived.isCurrent()).toBe(false)
  const second = await derive(() => cached('derived-inner', one))
  expect(second.isCurrent()).toBe(true)
  // as after a gap in the notifications
  dropAllCached()
  expect(second.isCurrent()).toBe(false)
})

const random = caseNumbers(4)

test('whatever is read, dropped and derived in whichever order: what is current has the values that a read returns', async () => {
  const versions = Array.from({ length: 5 }, () => 0)
  const read = (part: number): Promise<string> =>
    cached(`derived-random:${part}`, async () => {
      // each part is made of those after it
      const rest = part + 1 < versions.length && random(2) ? await read(part + 1) : ''
      await Promise.resolve()
      return `${versions[part]} ${rest}`
    })
  for (const _ of eachRound(300)) {
    dropAllCached()
    const parts = Array.from({ length: 1 + random(4) }, () => random(versions.length))
    const change = () => {
      const part = random(versions.length)
      versions[part] = (versions[part] ?? 0) + 1
      dropCached(`derived-random:${part}`)
    }
    const deriving = derive(async () => {
      const values: string[] = []
      for (const part of parts) {
        if (random(4) === 0) change()
        values.push(await read(part))
      }
      return values
    })
    if (random(2)) change()
    const derived = await deriving
    for (let n = random(3); n > 0; n--) change()
    if (derived.isCurrent()) expect(await Promise.all(parts.map(read))).toEqual(derived.value)
  }
})
