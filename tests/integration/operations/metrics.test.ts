import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '@/bin/embedded/process'
import { db } from '@/db/client'
import { dropCached } from '@/lib/base/cache/cache'
import { addDeliveryMetrics } from '@/lib/base/events/delivery/metrics'
import { addHousekeepingMetrics } from '@/lib/base/jobs/housekeeping-metrics'
import { enqueue } from '@/lib/base/jobs/jobs'
import { takePoints } from '@/lib/base/limits/limits'
import { addMessageMetrics } from '@/lib/base/mail-and-sms/metrics'
import { metrics } from '@/lib/base/runtime/metrics'
import { withRequestId } from '@/lib/base/runtime/request-id'
import { addOperationGauges } from '@/lib/operations/metrics/gauges'
import { checkNow } from '@/lib/operations/monitoring/run'
import { routePattern } from '@/lib/request/route-pattern'
import { signedInWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { dropSharedGauges } from '../../factories/gauges'
import { signInByPassword } from '../../factories/sign-in'
import { statementsOf } from '../../factories/statements'
import { startWorker } from '../../factories/worker-process'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

/** The lines of a metric, as Prometheus reads them. */
const linesOf = async (name: string, text?: string) =>
  (text ?? (await metrics().registry.metrics())).split('\n').filter((line) => line.startsWith(name))
/** The value of the line with these labels; 0 without one. */
const numberOf = async (name: string, ...labels: string[]) => {
  const lines = await linesOf(name)
  return Number(
    lines
      .find((line) => labels.every((label) => line.includes(label)))
      ?.split(' ')
      .at(-1) ?? 0,
  )
}

test('sign-ins are counted by outcome and factor, refusals by their limit', async () => {
  const before = await numberOf('platform_sign_ins_total', 'outcome="wrongPassword"', 'factor="credentials"')
  const { user } = await signedInWith([])
  await signInByPassword(new Browser(), user.login, 'wrong')
  expect(await numberOf('platform_sign_ins_total', 'outcome="wrongPassword"', 'factor="credentials"')).toBe(before + 1)
  expect(await numberOf('platform_sign_ins_total', 'outcome="success"', 'factor="credentials"')).toBeGreaterThan(0)
  const limit = { name: 'of-this-test', key: 'x', tiers: [{ points: 1, duration: 60 }] }
  await takePoints(limit)
  await expect(takePoints(limit)).rejects.toMatchObject({ status: 429 })
  expect(await numberOf('platform_limited_total', 'limit="of-this-test"')).toBe(1)
})

test('what stands in the database is read when somebody asks, once in ten seconds', async () => {
  addOperationGauges()
  const sessions = await numberOf('platform_sessions')
  await signedInWith([])
  await dropSharedGauges()
  expect(await numberOf('platform_sessions')).toBe(sessions + 1)
  await enqueue(db(), 'run', { id: 'late' }, { runAt: new Date(Date.now() - 600_000) })
  await enqueue(db(), 'run', { id: 'early' }, { runAt: new Date(Date.now() + 600_000) })
  await dropSharedGauges()
  expect(await numberOf('platform_jobs{', 'task="run"', 'state="due"')).toBe(1)
  expect(await numberOf('platform_jobs{', 'task="run"', 'state="waiting"')).toBe(1)
  expect(await numberOf('platform_jobs_oldest_seconds')).toBeGreaterThanOrEqual(600)
  await db().execute(sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`)
  await checkNow()
  await dropSharedGauges()
  expect(await numberOf('platform_check_up', 'key="database"', 'critical="3"')).toBe(1)
  expect(await numberOf('platform_database_up')).toBe(1)
  expect(await numberOf('platform_redis_up')).toBe(1)
  expect(await linesOf('platform_database_connections{')).toHaveLength(2)
})

test('all processes together read each table once for a request for metrics', async () => {
  addOperationGauges()
  addDeliveryMetrics()
  addMessageMetrics()
  addHousekeepingMetrics()
  await dropSharedGauges()
  const ask = () => metrics().registry.metrics()
  const statements = await statementsOf(async () => {
    await ask()
    // as other processes would: this one has nothing in its own cache
    for (let process = 0; process < 30; process++) {
      dropCached('gauges')
      await ask()
    }
  })
  const reading = (table: string) => statements.filter((text) => text.includes(table)).length
  for (const table of ['graphile_worker.jobs', '"sessions"', 'monitoring_checks', 'outbox_deliveries', '"messages"'])
    expect(reading(table), table).toBe(1)
  expect(reading('housekeeping_steps')).toBe(2)
})

test('a route is a pattern that the platform knows, whatever a client asks for', () => {
  const id = '3f2b8a34-1f0e-4a70-9d3c-3f8f5d1c2b6a'
  expect(routePattern(`/api/v1/platform/setting/devices-types/${id}`, 'api')).toBe(
    '/api/v1/platform/setting/devices-types/{id}',
  )
  expect(routePattern(`/platform/setting/users/${id}`, 'page')).toBe('/platform/setting/users/{id}')
  expect(routePattern('/oidc/token', 'oidc')).toBe('/oidc/token')
  for (const [path, kind] of [
    [`/api/v1/platform/${id}`, 'api'],
    [`/${id}`, 'page'],
    [`/oidc/${id}`, 'oidc'],
    [`/_next/${id}.js`, 'asset'],
    ['/api/v1/platform/{id}', 'api'],
  ] as const)
    expect(routePattern(path, kind)).toBe(kind)
})

let worker: Awaited<ReturnType<typeof startWorker>> | undefined
afterAll(async () => {
  delete process.env.WORKER_METRICS_PORT
  await worker?.end('SIGTERM')
})

test('a worker has health and metrics of its own, and its jobs know the request that is their cause', async () => {
  const port = await freePort()
  process.env.WORKER_METRICS_PORT = String(port)
  worker = await startWorker(`
    const { enqueue } = await load('lib/base/jobs/jobs.ts')
    const { db } = await load('db/client.ts')
    return { run: ({ id }) => enqueue(db(), 'oidcSessionEnded', { uid: id }, { runAt: new Date(Date.now() + 3_600_000) }) }`)
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  const ready = () => ask('/health/ready').then((answer) => answer.json())
  // it says that it works before its port is open
  await expect.poll(() => ready().catch(() => null)).toMatchObject({ database: 'up' })
  expect((await ask('/elsewhere')).status).toBe(404)
  const text = await (await ask('/metrics')).text()
  expect(await linesOf('platform_database_up', text)).toEqual(['platform_database_up 1'])

  await withRequestId('the-click', () => enqueue(db(), 'run', { id: 'x' }))
  const queued = async () => {
    const { rows } = await db().execute<{ payload: unknown }>(sql`
      select jobs.payload from graphile_worker._private_jobs jobs
      join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id where tasks.identifier = 'oidcSessionEnded'`)
    return rows.map(({ payload }) => payload)
  }
  await expect.poll(queued).toEqual([{ uid: 'x', requestId: 'the-click' }])
})
