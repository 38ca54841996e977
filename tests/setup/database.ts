import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, inject } from 'vitest'
import { closeDatabase } from '@/db/client'
import { closeCache } from '@/lib/base/cache/cache'
import { loadPermanentKeys } from '@/lib/base/crypto/permanent-keys'
import { closeRedis, redisReady } from '@/lib/base/redis/redis'
import { compose } from '@/lib/wiring/compose'
import { printWarningsOfFailure } from './warnings'

compose()

const inDatabase = (url: string, name: string) => {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

async function asOwner(query: string) {
  // connected to the default database, which no test clones, because a template must have no connections
  const client = new pg.Client(inDatabase(inject('ownerUrl'), 'postgres'))
  await client.connect()
  try {
    await client.query(query)
  } finally {
    await client.end()
  }
}

/** A Redis database that no other test file of the run uses. */
async function ownRedis(): Promise<string> {
  const url = inject('redisUrl')
  if (url === 'mock:') return url
  const client = new Redis(url)
  try {
    return `${url}/${await client.incr('databases')}`
  } finally {
    client.disconnect()
  }
}

async function disconnect() {
  await closeCache()
  await Promise.all([closeDatabase(), closeRedis()])
}

/**
 * Clones the migrated database for the calling test file, and configures the process to use it and its own Redis
 * database. Returns the owner's address of the database, and a function that removes both.
 */
async function createTestDatabase() {
  // a test of the file before that ran out of time may have connected again, to a database that is gone
  await disconnect()
  const name = `test_${randomBytes(6).toString('hex')}`
  const template = new URL(inject('ownerUrl')).pathname.slice(1)
  await asOwner(`create database ${name} template ${template} strategy file_copy`)
  process.env.DATABASE_URL = inDatabase(inject('appUrl'), name)
  process.env.REDIS_URL = await ownRedis()
  await redisReady()
  await loadPermanentKeys()
  return {
    ownerUrl: inDatabase(inject('ownerUrl'), name),
    async remove() {
      await disconnect()
      await asOwner(`drop database ${name} with (force)`)
    },
  }
}

/** Gives the calling test file its own database and Redis database, from its first hook to its last. */
export function useTestDatabase() {
  let remove: (() => Promise<void>) | undefined
  beforeAll(async () => {
    remove = (await createTestDatabase()).remove
  })
  beforeEach(printWarningsOfFailure)
  afterAll(() => remove?.())
}
