import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { missingKeys } from '@/bin/secrets/registry'
import { resealAll } from '@/bin/secrets/reseal'
import { checkDatabase, checkServices } from '@/bin/server/start-checks'
import { StartFault } from '@/bin/start-fault'
import { db } from '@/db/client'
import { lastingKeys, sealingKeys } from '@/db/schema'
import { namedKeys } from '@/lib/base/crypto/encryption'
import { env } from '@/lib/base/runtime/env'
import { adapterOf } from '@/lib/openid/token-store/service'
import { freshKey, setKeys } from '../../factories/keys'
import { takeRedisAway, withoutRedis } from '../../factories/redis-away'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const first = process.env.SECRET_KEYS ?? ''
const idOfFirst = () => {
  setKeys(first)
  return namedKeys()[0]?.id ?? ''
}
/** Returns what a check refused; 'ok' if nothing. */
const faultOf = (check: Promise<void>) =>
  check.then(
    () => 'ok',
    (error: Error) => {
      expect(error).toBeInstanceOf(StartFault)
      return error.message
    },
  )

describe('while Redis is unavailable', () => {
  let bringBack: () => void
  beforeEach(() => {
    bringBack = takeRedisAway()
  })
  afterEach(() => bringBack())

  test('a command starts with all of its keys, and creates the lasting ones', async () => {
    await db().delete(lastingKeys)
    expect(await faultOf(checkDatabase(env()))).toBe('ok')
    expect(await db().$count(lastingKeys)).toBe(3)
  })

  test('a server doesn’t start: it reports that Redis is unavailable, and nothing else', async () => {
    expect(await faultOf(checkServices(env()))).toMatch(/^Redis does not answer at [^\n]*$/)
  })

  test('a command doesn’t start without a key that stored data needs, and names it', async () => {
    const id = idOfFirst()
    setKeys(freshKey())
    expect(await faultOf(checkDatabase(env()))).toContain(
      `SECRET_KEYS lacks the key ${id}, with which these are sealed`,
    )
    setKeys(first)
    expect(await faultOf(checkDatabase(env()))).toBe('ok')
  })
})

test('a key that only Redis may need isn’t declared removable by a command that couldn’t search there', async () => {
  const [id, next] = [idOfFirst(), freshKey()]
  setKeys(next, first)
  expect(await missingKeys()).toEqual([])
  await resealAll()
  // a process whose first key is still the old one encrypts with it, and ends
  setKeys(first, next)
  expect(await missingKeys()).toEqual([])
  await adapterOf('AuthorizationCode').upsert(randomUUID(), { grantId: randomUUID() }, 600)
  await db().update(sealingKeys).set({ sealedAt: sql`now() - interval '10 minutes'` })
  setKeys(next)
  expect(await withoutRedis(() => faultOf(checkDatabase(env())))).toBe('ok')
  expect(await missingKeys()).toEqual([
    expect.stringContaining(`${id}, with which these are sealed: short-lived records`),
  ])
  setKeys(next, first)
  expect(await missingKeys()).toEqual([])
})
