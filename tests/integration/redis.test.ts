import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { env } from '@/lib/kernel/env'
import { closeRedis, redis, redisHealthy, redisReady } from '@/lib/kernel/redis'
import { startWire } from '../factories/wire'
import { useTestDatabase } from '../setup/database'

useTestDatabase()

/** How a command ended, and after how many milliseconds. */
async function timed(command: () => Promise<unknown>) {
  const startedAt = performance.now()
  const outcome = await command().then(
    () => 'answered',
    (error: Error) => error.message,
  )
  return { outcome, ms: performance.now() - startedAt }
}

describe.skipIf(inject('redisUrl') === 'mock:')('a Redis that fails', () => {
  let wire: Awaited<ReturnType<typeof startWire>>
  beforeAll(async () => {
    await closeRedis()
    wire = await startWire(process.env.REDIS_URL ?? '')
    // read already, when the test's database was made
    env().REDIS_URL = wire.url
    await redisReady()
  })
  afterAll(async () => {
    await closeRedis()
    wire.close()
  })

  test('away: commands fail at once, and work again once it is back', async () => {
    expect(await timed(() => redis().set('key', 'value'))).toMatchObject({ outcome: 'answered' })
    wire.cut()
    await expect.poll(() => redisHealthy()).toBe(false)
    const { outcome, ms } = await timed(() => redis().get('key'))
    expect(outcome).not.toBe('answered')
    expect(ms).toBeLessThan(100)
    wire.mend()
    await expect.poll(() => redisHealthy(), { timeout: 4_000 }).toBe(true)
    expect(await redis().get('key')).toBe('value')
  })

  test('slow: two commands wait, the others fail at once, so that a page of many is not held up', async () => {
    wire.hold()
    const startedAt = performance.now()
    for (let at = 0; at < 10; at++) expect((await timed(() => redis().get('key'))).outcome).not.toBe('answered')
    expect(performance.now() - startedAt).toBeLessThan(900)
    wire.mend()
    await expect.poll(() => redisHealthy(), { timeout: 8_000 }).toBe(true)
  })
})
