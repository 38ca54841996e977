import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { closeRedis, redis, redisHealthy, redisReady } from '@/lib/base/redis/redis'
import { env } from '@/lib/base/runtime/env'
import { startWire } from '../../factories/wire'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

/** Returns the result of a command. */
const outcomeOf = (command: Promise<unknown>) =>
  command.then(
    () => 'answered',
    (error: Error) => error.message,
  )

const timedOut = 'Command timed out'

describe.skipIf(inject('redisUrl') === 'mock:')('a Redis that fails', () => {
  let wire: Awaited<ReturnType<typeof startWire>>
  beforeAll(async () => {
    await closeRedis()
    wire = await startWire(process.env.REDIS_URL ?? '')
    // the environment was read already, when the test's database was created
    env().REDIS_URL = wire.url
    await redisReady()
  })
  afterAll(async () => {
    await closeRedis()
    env().REDIS_URL = process.env.REDIS_URL ?? ''
    wire.close()
  })

  test('is unavailable: commands fail at once, and work again afterwards', async () => {
    expect(await outcomeOf(redis().set('key', 'value'))).toBe('answered')
    wire.cut()
    await expect.poll(() => redisHealthy()).toBe(false)
    const outcome = await outcomeOf(redis().get('key'))
    expect(outcome).not.toBe('answered')
    expect(outcome).not.toBe(timedOut)
    wire.mend()
    await expect.poll(() => redisHealthy(), { timeout: 4_000 }).toBe(true)
    expect(await redis().get('key')).toBe('value')
  })

  test('is slow: two commands wait, the others fail at once, so that a page with many commands isn’t delayed', async () => {
    wire.hold()
    const outcomes: string[] = []
    for (let at = 0; at < 10; at++) outcomes.push(await outcomeOf(redis().get('key')))
    expect(outcomes).not.toContain('answered')
    expect(outcomes.filter((outcome) => outcome === timedOut).length).toBeLessThanOrEqual(2)
    wire.mend()
    await expect.poll(() => redisHealthy(), { timeout: 8_000 }).toBe(true)
  })
})

test('answers while this process is blocked: the answer counts, however late it is read', async () => {
  await closeRedis()
  await redisReady()
  await redis().set('key', 'value')
  const answer = outcomeOf(redis().get('key'))
  const until = performance.now() + 600
  while (performance.now() < until) Math.sqrt(until)
  expect(await answer).toBe('answered')
})
