import { eq, inArray, sql } from 'drizzle-orm'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields, providerCalls, providers, runRows, runs, userRoles, users } from '@/db/schema'
import { updateUser } from '@/lib/account-administration/accounts/contract'
import * as syncs from '@/lib/directory-sync/provider-sync/contract'
import { selectFaultyRows } from '@/lib/directory-sync/provider-sync/queries'
import { startDueSyncs, tidySyncs } from '@/lib/directory-sync/provider-sync/start'
import { readProvider } from '@/lib/directory-sync/providers/contract'
import { signedInWith } from '../../factories/access'
import { thirty } from '../../factories/at-once'
import { Caller } from '../../factories/caller'
import { createDirectory, enableSync, synced, workOnSync } from '../../factories/directory'
import { accountOf, administrator, crowd, detailsOf, refusal } from '../../factories/directory-people'
import { directoryPerson, startKeycloak } from '../../factories/keycloak'
import { explained, sentBy } from '../../factories/plans'
import { setSetting } from '../../factories/settings'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
// what new accounts must have is the matter of other tests
beforeAll(() => db().update(dynamicFields).set({ adminRequired: false, integrationRequired: false }))

describe('runs', () => {
  test('that only try write nothing, and say what would change', async () => {
    const [caller, keycloak] = [await administrator(), await startKeycloak()]
    keycloak.people = crowd(12)
    const directory = await createDirectory(caller, keycloak.url)
    const trial = await synced(caller, directory.id, true)
    expect(trial.run).toMatchObject({ dry: true, state: 'done', counts: { created: 12, disabled: 0 } })
    expect(await db().$count(users, eq(users.providerId, directory.id))).toBe(0)
    expect(await detailsOf(caller, directory.id)).toMatchObject({ status: 'disabled', runId: null })
    await enableSync(caller, directory)
    const [one] = keycloak.people
    if (one) one.lastName = 'Котова'
    keycloak.people = [...keycloak.people.slice(0, 4), directoryPerson()]
    const before = await db().select().from(users).where(eq(users.providerId, directory.id)).orderBy(users.id)
    const second = await synced(caller, directory.id, true)
    expect(second.run.counts).toEqual({ created: 1, changed: 1, enabled: 0, disabled: 8, same: 3 })
    expect(await db().select().from(users).where(eq(users.providerId, directory.id)).orderBy(users.id)).toEqual(before)
  })

  test('begin once, of thirty starts at once, and say why none can begin', async () => {
    const [caller, keycloak] = [await administrator(), await startKeycloak()]
    const directory = await createDirectory(caller, keycloak.url)
    const start = () => refusal(caller, syncs.startProviderSync, { params: { id: directory.id }, body: {} })
    expect(await start()).toEqual([409, 'syncOff'])
    await enableSync(caller, directory)
    const outcomes = await thirty(async () => {
      const { status } = await caller.send(syncs.startProviderSync, { params: { id: directory.id }, body: {} })
      return status
    })
    expect(outcomes.toSorted()).toEqual([200, ...Array.from({ length: 29 }, () => 409)])
    expect(await start()).toEqual([409, 'syncRunning'])
    // a start needs no payload; the refusal names its reason once more, for clients of the REST API
    const bare = await caller.send(syncs.startProviderSync, { params: { id: directory.id } })
    expect(bare).toMatchObject({ status: 409, body: { code: 'syncRunning', data: { error: 'syncRunning' } } })
    await db().update(providers).set({ enabled: false }).where(eq(providers.id, directory.id))
    expect(await start()).toEqual([409, 'syncProviderOff'])
    // a provider that was switched off stops what works
    const id = (await detailsOf(caller, directory.id))?.runId ?? ''
    expect((await workOnSync(caller, id)).run).toMatchObject({ state: 'stopped', fault: 'syncProviderOff' })
  })

  test('come by the schedule, not after a failure, and again after a save', async () => {
    const [caller, keycloak] = [await administrator(), await startKeycloak()]
    await setSetting('syncPeriod', { value: 2, unit: 'hours' })
    const directory = await createDirectory(caller, keycloak.url)
    const params = { id: directory.id, syncId: directory.syncId }
    // the first enabling takes the period of the setting
    await caller.call(syncs.updateProviderSync, { params, body: { enabled: true } })
    const { provider } = await caller.call(readProvider, { params: { id: directory.id } })
    expect(provider.sync[0]).toMatchObject({ enabled: true, periodUnit: 2, periodAmount: 'hours', syncLimit: 50 })
    await workOnSync(caller, provider.sync[0]?.details.runId ?? '')
    const count = () => db().$count(runs, eq(runs.subject, directory.syncId))
    const in3Hours = () => new Date(Date.now() + 3 * 3_600_000)
    await startDueSyncs(new Date())
    expect(await count()).toBe(1)
    await startDueSyncs(in3Hours())
    await startDueSyncs(in3Hours())
    expect(await count()).toBe(2)
    keycloak.broken = () => 503
    const second = (await detailsOf(caller, directory.id))?.runId ?? ''
    expect((await workOnSync(caller, second)).run).toMatchObject({ trigger: 'schedule', fault: 'providerConnection' })
    await startDueSyncs(in3Hours())
    expect(await count()).toBe(2)
    await caller.call(syncs.updateProviderSync, {
      params,
      body: { enabled: true, periodUnit: 2, periodAmount: 'hours' },
    })
    await startDueSyncs(new Date(Date.now() + 6 * 3_600_000))
    expect(await count()).toBe(3)
    for (const [periodUnit, periodAmount] of [
      [14, 'minutes'],
      [31, 'days'],
    ] as const)
      expect(
        await refusal(caller, syncs.updateProviderSync, { params, body: { enabled: true, periodUnit, periodAmount } }),
      ).toEqual([400, 'errorSyncPeriod'])
  })

  test('act as whoever set them up, and stop when that person may no longer', async () => {
    const keycloak = await startKeycloak()
    const { user, browser } = await signedInWith(['providers.write'])
    const caller = new Caller(browser)
    const directory = await createDirectory(caller, keycloak.url)
    await enableSync(caller, directory)
    await db().delete(userRoles).where(eq(userRoles.userId, user.id))
    await startDueSyncs(new Date(Date.now() + 2 * 3_600_000))
    const other = await administrator()
    const id = (await detailsOf(other, directory.id))?.runId ?? ''
    keycloak.people = crowd(1)
    expect((await workOnSync(other, id)).run).toMatchObject({ state: 'stopped', fault: 'syncActorRights' })
    expect((await synced(other, directory.id)).run).toMatchObject({ state: 'done', done: 1 })
  })

  test('and calls are kept as long as the settings say; the newest run stays', async () => {
    const [caller, keycloak] = [await administrator(), await startKeycloak()]
    const directory = await createDirectory(caller, keycloak.url)
    await enableSync(caller, directory)
    await synced(caller, directory.id)
    const stored = () => db().select().from(runs).where(eq(runs.subject, directory.syncId))
    const calls = () => db().$count(providerCalls, eq(providerCalls.providerId, directory.id))
    await setSetting('providerSyncLogRetention', 20)
    await setSetting('providerApiLogRetention', 30)
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
    await tidySyncs(inDays(19))
    expect([(await stored()).length, (await calls()) > 0]).toEqual([2, true])
    await tidySyncs(inDays(21))
    expect([(await stored()).length, (await calls()) > 0]).toEqual([1, true])
    await tidySyncs(inDays(31))
    expect([(await stored()).length, await calls()]).toEqual([1, 0])
    const ids = (await stored()).map(({ id }) => id)
    expect(await db().$count(runRows, inArray(runRows.runId, ids))).toBe(0)
  })
})

test('a page of faults, failed rows and noted ones in their order, reads little besides them', async () => {
  const [caller, keycloak] = [await administrator(), await startKeycloak()]
  const directory = await createDirectory(caller, keycloak.url)
  const { run } = await enableSync(caller, directory)
  await db().execute(sql`insert into run_rows (run_id, row, state, title, input, fault)
    select ${run.id}, n, case when n % 400 = 0 then 'failed' else 'done' end::run_row_state, 'К',
      jsonb_build_object('externalId', n::text, 'notes',
        case when n % 400 = 200 then '[{"code": "errorUnique", "params": {}}]' else '[]' end::jsonb),
      case when n % 400 = 0 then 'syncLinked' end
    from generate_series(1, 20000) n`)
  await db().update(runs).set({ failed: 50 }).where(eq(runs.id, run.id))
  await db().execute(sql`analyze run_rows`)
  const client = new pg.Client(process.env.DATABASE_URL)
  await client.connect()
  try {
    const { faults } = await caller.call(syncs.readProviderRun, { params: { id: run.id } })
    expect(faults.map(({ row }) => row)).toEqual(Array.from({ length: 100 }, (_, n) => (n + 1) * 200))
    let read = 0
    for (const statement of await sentBy(() => selectFaultyRows(run.id, 0, 30)))
      for (const { table, rows } of (await explained(client, statement)).scans) if (table === 'run_rows') read += rows
    expect(read).toBeLessThan(100)
  } finally {
    await client.end()
  }
})

test('what a directory keeps can’t be changed by an administrator', async () => {
  const [caller, keycloak] = [await administrator(['users.write']), await startKeycloak()]
  keycloak.people = [directoryPerson()]
  const directory = await createDirectory(caller, keycloak.url)
  await enableSync(caller, directory)
  const { id = '' } = (await accountOf(keycloak.people[0]?.id ?? '')) ?? {}
  for (const code of ['login', 'email', 'fio', 'lastName'])
    expect(
      await refusal(caller, updateUser, { params: { id }, body: { values: { [code]: 'x@y.example' } } }),
      code,
    ).toEqual([400, 'errorDirectoryField'])
})
