import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import type { Embedded } from '@/bin/embedded'
import { closeDatabase } from '@/db/client'
import { migrateDatabase } from '@/db/migrate'
import { closeCache } from '@/lib/base/cache/cache'
import { loadPermanentKeys } from '@/lib/base/crypto/permanent-keys'
import { closeRedis, redisReady } from '@/lib/base/redis/redis'
import { startServices } from '../setup/services'
import { freeze, parentOf } from './processes'

/** Gives the calling test file its own PostgreSQL and Redis, which it may stop and slow down. */
export function useOwnServices() {
  let embedded: Embedded | undefined
  let owner: pg.Client
  let pids: { postgres: number; redis: number }

  beforeAll(async () => {
    embedded = await startServices('test-outages')
    const { DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl, REDIS_URL } = embedded.env
    Object.assign(process.env, { DATABASE_URL: appUrl, REDIS_URL })
    await migrateDatabase({ ownerUrl, appUrl, log: { info: () => {}, warn: console.warn } })
    owner = new pg.Client(ownerUrl)
    owner.on('error', () => {})
    await owner.connect()
    const { rows } = await owner.query('select pg_backend_pid() as pid')
    let redis = 0
    if (REDIS_URL !== 'mock:') {
      const client = new Redis(REDIS_URL)
      redis = Number(/process_id:(\d+)/.exec(await client.info('server'))?.[1])
      client.disconnect()
    }
    pids = { postgres: parentOf(rows[0].pid), redis }
    await redisReady()
    await loadPermanentKeys()
  }, 120_000)
  afterAll(async () => {
    await closeCache()
    await Promise.all([closeDatabase(), closeRedis()])
    await owner?.end()
    await embedded?.stop()
  }, 60_000)

  return {
    hasRedis: inject('redisUrl') !== 'mock:',
    owner: () => owner,
    /** Runs something while the service hangs. */
    async hanging<T>(service: 'postgres' | 'redis', work: () => Promise<T>): Promise<T> {
      const thaw = freeze(pids[service])
      try {
        return await work()
      } finally {
        thaw()
      }
    },
  }
}
