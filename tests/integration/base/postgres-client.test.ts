import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { databasePool, db } from '@/db/client'
import { TimeoutClient } from '@/lib/base/postgres/client'
import { env } from '@/lib/base/runtime/env'
import { setResponsiveTimeout } from '@/lib/base/runtime/timeouts'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

/** Ends connections from outside, as an administrator or a restart does. */
async function terminate(pids: number[]) {
  // from a database that no test clones
  const owner = new pg.Client(Object.assign(new URL(inject('ownerUrl')), { pathname: '/postgres' }).href)
  await owner.connect()
  try {
    for (const pid of pids) await owner.query('select pg_terminate_backend($1)', [pid])
  } finally {
    await owner.end()
  }
}
const pidOf = async (client: { query: (text: string) => Promise<{ rows: { pid: number }[] }> }) =>
  (await client.query('select pg_backend_pid() as pid')).rows[0]?.pid as number

/** Resolves when everybody who waited for less has been notified. */
const waited = (milliseconds: number) => new Promise<void>((resolve) => setResponsiveTimeout(milliseconds, resolve))

async function connected(silences: number[]) {
  const client = new TimeoutClient({
    connectionString: process.env.DATABASE_URL,
    timeouts: { connect: 5_000, silence: 100, onSilence: (_, times) => void silences.push(times) },
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

test.each([
  ['by its owner', (client: TimeoutClient) => client.end()],
  [
    'by the server',
    async (client: TimeoutClient) => {
      const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
      await terminate([await pidOf(client)])
      await ended
    },
  ],
  [
    'by being given up',
    async (client: TimeoutClient) => {
      const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
      client.giveUp()
      await ended
    },
  ],
])('a connection that was ended %s refuses queries and doesn’t wait', async (_, end) => {
  const silences: number[] = []
  const client = await connected(silences)
  await end(client)
  await expect(client.query('select 1')).rejects.toThrow()
  await expect(client.query('select 1')).rejects.toThrow()
  await waited(400)
  expect(silences).toEqual([])
})

test('a query whose connection ends fails, and leaves no waiting', async () => {
  const silences: number[] = []
  const client = await connected(silences)
  const pid = await pidOf(client)
  const asked = client.query('select pg_sleep(60)').catch((error: Error) => error)
  await terminate([pid])
  expect(await asked).toBeInstanceOf(Error)
  const before = silences.length
  await waited(400)
  expect(silences).toHaveLength(before)
})

test('after all connections were ended, a query gets a working one, each time', async () => {
  for (let round = 0; round < 3; round++) {
    const clients = await Promise.all(Array.from({ length: env().DATABASE_POOL }, () => databasePool().connect()))
    const pids = await Promise.all(clients.map((client) => pidOf(client)))
    // some are idle in the pool, the others are in use
    for (const client of clients.slice(0, 3)) client.release()
    const lost = Promise.all(
      clients.slice(3).map((client) => new Promise<void>((resolve) => client.once('error', () => resolve()))),
    )
    await terminate(pids)
    await lost
    await expect.poll(() => databasePool().totalCount).toBe(0)
    const answers = await Promise.all(Array.from({ length: 20 }, () => db().execute('select 1 as one')))
    expect(answers.map(({ rows }) => rows)).toEqual(answers.map(() => [{ one: 1 }]))
  }
})
