import { EventEmitter } from 'node:events'
import type { WorkerEvents } from 'graphile-worker'
import { afterEach, expect, test } from 'vitest'
import { signOfLife } from '@/bin/worker/sign-of-life'
import { databasePool } from '@/db/client'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** A live worker process with this id. */
async function alive(id: string) {
  const events: WorkerEvents = new EventEmitter()
  const life = await signOfLife(process.env.DATABASE_URL ?? '', events)
  events.emit('pool:create', { workerPool: { id } } as never)
  await expect
    .poll(async () => (await query(`select 1 from pg_locks where locktype = 'advisory'`)).length)
    .toBeGreaterThan(0)
  stops.push(life.stop)
  return life
}
const query = async (text: string, values: unknown[] = []) => (await databasePool().query(text, values)).rows
const jobHeldBy = async (holder: string, since = '1 minute') => {
  await query(`select graphile_worker.add_job('housekeeping')`)
  await query(
    `update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - $2::interval where locked_by is null`,
    [holder, since],
  )
}
const holders = async () =>
  (await query('select locked_by from graphile_worker._private_jobs order by id')).map(({ locked_by }) => locked_by)

test('jobs of dead workers are free again, those of live ones stay', async () => {
  await alive('pool-alive')
  await jobHeldBy('pool-alive')
  await jobHeldBy('pool-dead')
  await jobHeldBy('pool-quick', '1 second')
  await (await signOfLife(process.env.DATABASE_URL ?? '', new EventEmitter())).stop()
  expect(await holders()).toEqual(['pool-alive', null, 'pool-quick'])
})
