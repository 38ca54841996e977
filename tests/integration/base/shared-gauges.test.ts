import { afterEach, describe, expect, test } from 'vitest'
import { addSharedGauge } from '@/lib/base/cache/shared-gauge'
import { redis } from '@/lib/base/redis/redis'
import { metrics } from '@/lib/base/runtime/metrics'
import { dropSharedGauges } from '../../factories/gauges'
import { takeRedisAway } from '../../factories/redis-away'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let reads = 0
let read = async (): Promise<number> => 0
/** Each request for it is as one of another process: what they share is in Redis. */
const name = 'sample_shared'
addSharedGauge({
  name,
  help: 'A sample',
  read: async () => {
    reads++
    return [{ value: await read() }]
  },
})

const value = async () => {
  const text = await metrics().registry.getSingleMetricAsString(name)
  return text.split('\n').find((line) => line.startsWith(name)) ?? null
}

afterEach(async () => {
  await dropSharedGauges()
  reads = 0
})

describe('a gauge of the database', () => {
  test('is read once for thirty processes that are asked at once, and for those that are asked soon after', async () => {
    read = async () => 7
    await Promise.all(Array.from({ length: 30 }, value))
    expect(reads).toBe(1)
    expect(await Promise.all(Array.from({ length: 30 }, value))).toEqual(Array(30).fill(`${name} 7`))
    expect(reads).toBe(1)
  })

  test('is left out of the answers of other processes until the first reading ends', async () => {
    let end = (_: number) => {}
    let began = () => {}
    const reading = new Promise<void>((resolve) => {
      began = resolve
    })
    read = () => {
      began()
      return new Promise((resolve) => {
        end = resolve
      })
    }
    const answer = value()
    await reading
    expect(await value()).toBeNull()
    end(8)
    expect(await answer).toBe(`${name} 8`)
    expect(await value()).toBe(`${name} 8`)
    expect(reads).toBe(1)
  })

  test('that can’t be read has no value anywhere, also no earlier one', async () => {
    read = async () => 9
    expect(await value()).toBe(`${name} 9`)
    await redis().del(`gauge:${name}:turn`)
    read = async () => {
      throw new Error('the database is away')
    }
    expect(await value()).toBeNull()
    expect(await value()).toBeNull()
    expect(reads).toBe(2)
  })

  test('is read by each process without Redis', async () => {
    const bringBack = takeRedisAway()
    try {
      read = async () => 10
      expect(await Promise.all([value(), value()])).toEqual([`${name} 10`, `${name} 10`])
      expect(reads).toBe(2)
      read = async () => {
        throw new Error('the database is away')
      }
      expect(await value()).toBeNull()
    } finally {
      bringBack()
    }
  })

  test('whose stored values are broken is left out until it is read again', async () => {
    read = async () => 11
    expect(await value()).toBe(`${name} 11`)
    await redis().set(`gauge:${name}`, 'not JSON')
    expect(await value()).toBeNull()
    await redis().del(`gauge:${name}:turn`)
    expect(await value()).toBe(`${name} 11`)
  })
})
