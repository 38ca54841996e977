import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { db } from '@/db/client'
import { applications, history, monitoringChecks, monitoringSlots, monitoringTurns, providerCalls } from '@/db/schema'
import { enqueue } from '@/lib/base/jobs/jobs'
import { env } from '@/lib/base/runtime/env'
import { addChecks, type Check, CheckFault, checkSources } from '@/lib/base/runtime/monitoring'
import { enableProvider } from '@/lib/directory-sync/providers/contract'
import {
  exportMonitoring,
  getMonitoringStatus,
  listMonitoring,
  MonitoringQuery,
  refreshMonitoring,
} from '@/lib/operations/monitoring/contract'
import { checkNow, runDueChecks } from '@/lib/operations/monitoring/run'
import { exportMonitoring as exportAll } from '@/lib/operations/monitoring/service'
import { tidyMonitoring } from '@/lib/operations/monitoring/tidy'
import { signedInWith } from '../../factories/access'
import { newApplication } from '../../factories/applications'
import { thirty } from '../../factories/at-once'
import { Caller } from '../../factories/caller'
import { createContext } from '../../factories/context'
import { createDirectory } from '../../factories/directory'
import { startKeycloak } from '../../factories/keycloak'
import { startOpenidProvider } from '../../factories/openid-imitation'
import { connectProvider } from '../../factories/openid-provider'
import { first } from '../../factories/platform'
import { handlerOf } from '../../factories/routes'
import { setSetting } from '../../factories/settings'
import { useTestDatabase } from '../../setup/database'

const refresh = handlerOf(refreshMonitoring)
const exportRoute = handlerOf(exportMonitoring)

useTestDatabase()

const sources = new Map(checkSources())
/** Replaces what is checked by these, each with what its looks do. */
function onlyCheck(...checks: Check[]) {
  for (const name of sources.keys()) addChecks(name, async () => [])
  addChecks('sample', async () => checks)
}
const check = (key: string, look: Check['look'], more: Partial<Check> = {}): Check => ({
  key,
  kind: 'provider',
  critical: 2,
  named: { name: `Проверка ${key}`, nameEn: `Check ${key}` },
  look,
  ...more,
})
const callerWith = async (methods: string[]) => new Caller((await signedInWith(methods)).browser)
const fails = async () => {
  throw new CheckFault('HTTP 503')
}
const works = async () => undefined

beforeEach(async () => {
  await db().delete(monitoringChecks)
  await db().delete(monitoringTurns)
})
afterEach(() => {
  for (const [name, source] of sources) addChecks(name, source)
  addChecks('sample', async () => [])
})

/** Runs turns that are so many seconds apart. */
async function turns(count: number, apart = 10) {
  for (let turn = 0; turn < count; turn++) {
    await runDueChecks()
    // the looks so far were made so much earlier
    await db().execute(sql`update monitoring_checks set counted_at = counted_at - make_interval(secs => ${apart})`)
    await db().update(monitoringTurns).set({ nextAt: sql`now() - interval '1 second'` })
  }
}
const rowOf = async (key: string) =>
  first(await db().select().from(monitoringChecks).where(eq(monitoringChecks.key, key)))

describe('checks', () => {
  test('a failure alone is no alarm; three in a row are one, and two good looks end it', async () => {
    const look = vi.fn<Check['look']>().mockImplementation(fails)
    onlyCheck(check('a', look))
    await turns(2)
    expect(await rowOf('a')).toMatchObject({ status: 'up', doubts: 2, lastError: 'HTTP 503', latency: null })
    await turns(1)
    expect(await rowOf('a')).toMatchObject({ status: 'down' })
    look.mockImplementation(works)
    await turns(1)
    expect(await rowOf('a')).toMatchObject({ status: 'down' })
    await turns(1)
    // what was last wrong stays known
    expect(await rowOf('a')).toMatchObject({ status: 'up', lastError: 'HTTP 503', errorAt: expect.any(Date) })
  })

  test('a doubtful result is looked at again soon, a good one after the period', async () => {
    await setSetting('monitoringPeriod', { value: 5, unit: 'minutes' })
    const waits = async () => {
      const { startedAt, nextAt } = first(await db().select().from(monitoringTurns))
      return (nextAt.getTime() - (startedAt?.getTime() ?? 0)) / 1000
    }
    onlyCheck(check('a', fails))
    await runDueChecks()
    expect(await waits()).toBe(10)
    onlyCheck(check('a', works))
    await db().update(monitoringTurns).set({ nextAt: sql`now() - interval '1 second'` })
    await runDueChecks()
    expect(await waits()).toBe(300)
    // a shorter period counts at once, though the next turn was set for later
    await db().execute(sql`update monitoring_turns set started_at = started_at - interval '40 seconds'`)
    await setSetting('monitoringPeriod', { value: 30, unit: 'seconds' })
    const look = vi.fn(works)
    onlyCheck(check('a', look))
    await runDueChecks()
    expect(look).toHaveBeenCalledTimes(1)
  })

  test('of thirty processes that come at once one looks, and people who ask at once wait for one look', async () => {
    const look = vi.fn(works)
    onlyCheck(check('a', look))
    await thirty(() => runDueChecks())
    expect(look).toHaveBeenCalledTimes(1)
    await db().execute(sql`update monitoring_turns set started_at = now() - interval '1 minute'`)
    await thirty(() => checkNow())
    expect(look).toHaveBeenCalledTimes(2)
  })

  test('what is no longer checked goes, but not because its source failed', async () => {
    onlyCheck(check('a', works), check('b', works))
    await runDueChecks()
    addChecks('sample', async () => {
      throw new Error('its table is locked')
    })
    await turns(1, 0)
    expect(await db().$count(monitoringChecks)).toBe(2)
    onlyCheck(check('b', works))
    await turns(2, 0)
    expect(await db().select({ key: monitoringChecks.key }).from(monitoringChecks)).toEqual([{ key: 'b' }])
  })

  test('jobs that wait longer than the setting says are counted as stuck', async () => {
    await db().transaction(async (tx) => {
      const old = { runAt: new Date(Date.now() - 20 * 60_000) }
      await enqueue(tx, 'run', { id: 'x' }, old)
      await enqueue(tx, 'run', { id: 'y' }, old)
      await enqueue(tx, 'run', { id: 'z' })
    })
    await runDueChecks()
    expect(await rowOf('jobs')).toMatchObject({ status: 'up', stuckCount: 2 })
    await setSetting('monitoringStuckAfter', { value: 30, unit: 'minutes' })
    await turns(2, 0)
    expect(await rowOf('jobs')).toMatchObject({ stuckCount: 0 })
    await db().execute(sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`)
  })

  test('an application is asked at its address, in production only at one that may be reached', async () => {
    let status = 302
    const server = createServer((_, res) => res.writeHead(status).end('x'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    await newApplication({ code: 'shop', url })
    await newApplication({ code: 'sample', url: 'https://sample.example/' })
    await newApplication({ code: 'draft', url, type: 'draft' })
    const lastError = async () => {
      await turns(1, 0)
      return (await rowOf('application:shop')).lastError
    }
    expect(await lastError()).toBeNull()
    expect((await db().select().from(monitoringChecks)).filter(({ kind }) => kind === 'application')).toHaveLength(1)
    status = 502
    expect(await lastError()).toBe('HTTP 502')
    const { PLATFORM_MODE } = env()
    env().PLATFORM_MODE = 'production'
    expect(await lastError()).toBe('addressBlocked')
    env().PLATFORM_MODE = PLATFORM_MODE
    server.close()
    server.closeAllConnections()
    expect(await lastError()).toBe('ECONNREFUSED')
    // another code is another key of the same check
    await db().update(applications).set({ code: 'store' }).where(eq(applications.code, 'shop'))
    await turns(1, 0)
    expect(await rowOf('application:store')).toMatchObject({ lastError: 'ECONNREFUSED' })
  })

  test('a provider is signed in to while it is enabled, and what it refuses is named', async () => {
    const [caller, keycloak] = [await callerWith(['providers.write']), await startKeycloak()]
    const { id } = await createDirectory(caller, keycloak.url)
    const lastError = async () => {
      await turns(1, 0)
      return (await rowOf(`provider:${id}`)).lastError
    }
    expect(await lastError()).toBeNull()
    expect(await db().select().from(providerCalls)).toEqual([])
    keycloak.rights = false
    expect(await lastError()).toBe('providerAccess')
    keycloak.secret = 'another'
    expect(await lastError()).toBe('providerSecret')
    keycloak.broken = () => 'hang up'
    expect(await lastError()).toBe('providerConnection')
    expect(await rowOf(`provider:${id}`)).toMatchObject({ kind: 'provider', critical: 2, status: 'up' })
    const openid = await startOpenidProvider()
    const other = await connectProvider(caller, openid)
    await turns(1, 0)
    // people sign in through this one
    expect(await rowOf(`provider:${other}`)).toMatchObject({ lastError: null, critical: 3 })
    // nothing but metadata is asked for
    expect(new Set(openid.asked)).toEqual(new Set(['/.well-known/openid-configuration']))
    openid.broken = () => 503
    await turns(1, 0)
    expect(await rowOf(`provider:${other}`)).toMatchObject({ lastError: 'providerConnection' })
    for (const each of [id, other])
      await caller.call(enableProvider, { params: { id: each }, body: { enabled: false } })
    await turns(1, 0)
    expect((await db().select().from(monitoringChecks)).filter(({ kind }) => kind === 'provider')).toEqual([])
  })

  test('a healthy platform is up from its first look on', async () => {
    await runDueChecks()
    const rows = await db().select().from(monitoringChecks)
    expect(rows.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['database', 'redis', 'mail', 'sms', 'jobs', 'license']),
    )
    expect(rows.filter(({ kind, lastError }) => kind !== 'application' && lastError !== null)).toEqual([])
  })
})

describe('what people see', () => {
  test('what isn’t connected works for nobody, and no look at it is counted', async () => {
    const caller = await callerWith(['monitoring.read', 'monitoringNotifyAccess'])
    const look = vi.fn<Check['look']>().mockImplementation(fails)
    onlyCheck(check('mail', look, { kind: 'mail', named: undefined }), check('works', works))
    await turns(3)
    look.mockResolvedValue({ connected: false })
    await db().delete(monitoringSlots)
    await turns(1)
    const row = (await caller.call(listMonitoring, { query: { filter: { key: 'mail' } } })).data[0]
    expect(row).toMatchObject({ status: 'up', connected: false, latency: null, available: null })
    expect(row?.bars.every((bar) => bar === 'none')).toBe(true)
    const { data } = await caller.call(listMonitoring, { query: { filter: { status: 'up' } } })
    expect(data.map(({ key }) => key)).toEqual(['works'])
    expect(await caller.call(getMonitoringStatus)).toMatchObject({ errorCount: 0 })
    const { file } = (await caller.send(exportMonitoring, { query: { format: 'csv' } }, exportRoute)).body
    expect(String(file)).toMatch(/Не\sподключён/)
  })

  test('without a mail server and a license the platform says so', async () => {
    const caller = await callerWith(['monitoring.read'])
    await runDueChecks()
    const { data } = await caller.call(listMonitoring, { query: {} })
    const unconnected = data.filter(({ connected }) => !connected).map(({ key }) => key)
    expect(unconnected.toSorted()).toEqual(['license', 'mail', 'sms'])
  })

  test('what is down comes first, then what is stuck; filters, sorts and the file agree', async () => {
    const caller = await callerWith(['monitoring.read', 'monitoringNotifyAccess'])
    onlyCheck(
      check('calm', works, { critical: 3 }),
      check('low', fails, { critical: 1 }),
      check('high', fails, { critical: 3 }),
      check('stuck', async () => ({ stuck: 7 })),
    )
    await turns(3)
    const { data, turn } = await caller.call(listMonitoring, { query: {} })
    expect(data.map(({ key }) => key)).toEqual(['high', 'low', 'stuck', 'calm'])
    expect(data[0]).toMatchObject({ application: 'Проверка high', available: 0, critical: 3, status: 'down' })
    expect(data[0]?.bars.at(-1)).toBe('bad')
    expect(data[2]).toMatchObject({ status: 'up', stuckCount: 7, available: 100 })
    expect(data[2]?.bars.at(-1)).toBe('stuck')
    expect(turn.stale).toBe(false)
    const keys = async (query: object) => (await caller.call(listMonitoring, { query })).data.map(({ key }) => key)
    expect(await keys({ filter: { status: 'up' } })).toEqual(['stuck', 'calm'])
    expect(await keys({ filter: { key: 'CHECK lo' } })).toEqual(['low'])
    expect(await keys({ sortBy: 'key' })).toEqual(['calm', 'high', 'low', 'stuck'])
    expect(await caller.call(getMonitoringStatus)).toEqual({ status: 'error', count: 4, errorCount: 3 })

    const { file } = (
      await caller.send(exportMonitoring, { query: { format: 'csv', filter: { status: 'down' } } }, exportRoute)
    ).body
    expect(
      String(file)
        .split('\r\n')
        .map((line) => line.split(/[;,]/)[1]),
    ).toEqual(expect.arrayContaining(['high', 'low']))
    expect(String(file)).not.toContain('calm')
    const records = await db().select().from(history).where(eq(history.entity, 'monitoring-export'))
    expect(records).toEqual(expect.arrayContaining([expect.objectContaining({ field: 'status', current: 'down' })]))
  })

  test('the file has every check of the list, on however many pages', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e']
    onlyCheck(...keys.map((key) => check(key, works)))
    await runDueChecks()
    const list = { ...MonitoringQuery.parse({ sortBy: 'key' }), perPage: 2 }
    const ctx = await createContext({ methods: ['monitoring.read'] })
    let text = ''
    for await (const chunk of (await exportAll(ctx, { query: { format: 'csv', list } })).chunks) text += chunk
    const [, ...rows] = text.trim().split('\r\n')
    expect(rows.map((row) => row.split(';')[1])).toEqual(keys)
  })

  test('that checks have stopped', async () => {
    const caller = await callerWith(['monitoring.read', 'monitoringNotifyAccess'])
    onlyCheck(check('a', works))
    await runDueChecks()
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    await db()
      .update(monitoringTurns)
      .set({ startedAt: ago(4), doneAt: ago(4), nextAt: ago(3) })
    expect((await caller.call(listMonitoring, { query: {} })).turn.stale).toBe(true)
    // asking for a check is an answer to that
    expect((await caller.call(refreshMonitoring)).stale).toBe(false)
  })

  test('nobody has everything checked again and again', async () => {
    const caller = await callerWith(['monitoring.read'])
    onlyCheck(check('a', works))
    const statuses = await Promise.all(Array.from({ length: 12 }, () => caller.send(refreshMonitoring, {}, refresh)))
    expect(statuses.filter(({ status, body }) => status === 429 && body.code === 'tooManyAttempts')).toHaveLength(2)
  })
})

test('results go after 31 days, and only those', async () => {
  onlyCheck(check('a', works))
  await runDueChecks()
  const { id: checkId } = await rowOf('a')
  const values = { checkId, checks: 1, failures: 0, stuck: 0, total: 1, worst: 1 }
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
  await db()
    .insert(monitoringSlots)
    .values([
      { ...values, at: ago(30.9) },
      { ...values, at: ago(31.1) },
      { ...values, at: ago(60) },
    ])
  await tidyMonitoring(new Date())
  expect(await db().$count(monitoringSlots, eq(monitoringSlots.checkId, checkId))).toBe(2)
})
