import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { contractors, dynamicFields, roles, runs, users } from '@/db/schema'
import { processRows } from '@/lib/base/batch-jobs/process-rows'
import { type IntegrationKey, integrationKeys, isImport } from '@/lib/exchanges/exchange-journal/keys'
import * as calls from '@/lib/exchanges/exchanges/contract'
import { startDueExchanges } from '@/lib/exchanges/exchanges/start'
import { batchKinds } from '@/lib/wiring/runs'
import { thirty } from '../../factories/at-once'
import type { Caller } from '../../factories/caller'
import { defineActionType, defineField } from '../../factories/fields'
import { connect, exchanged, integrator, journalOf, workOnExchange } from '../../factories/integration'
import { contractorItem } from '../../factories/integration-items'
import { startOtherSystem } from '../../factories/other-system'
import { plantRole } from '../../factories/roles'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let caller: Caller
let field = ''
const people: Awaited<ReturnType<typeof createUser>>[] = []
beforeAll(async () => {
  await db().update(dynamicFields).set({ adminRequired: false, integrationRequired: false })
  await defineActionType('each')
  field = await defineField({ type: 'personnel-actions', subtype: 'each' })
  for (let at = 0; at < 12; at++) {
    people.push(await createUser())
    await plantRole([], 'systemic')
  }
  caller = await integrator()
})

/** Rows that a source gives: `count` good ones and, between them, a wrong one. */
const rowsOf = {
  'contractors.import': (count: number) => Array.from({ length: count }, () => contractorItem()),
  'personnel-actions.import': (count: number) =>
    people.slice(0, count).map(({ login }) => ({ login, type: 'each', values: { [field]: `стало ${login}` } })),
}
const wrongRow = {
  'contractors.import': { name: 'Без кода' },
  'personnel-actions.import': { login: 'nobody', type: 'each' },
}

/** What is written here, to compare before and after. */
const written = async () => [
  await db().select().from(contractors).orderBy(contractors.id),
  await db().select({ id: users.id, values: users.values }).from(users).orderBy(users.id),
]
const tables = { 'users.export': users, 'roles.export': roles } as const
/** The ids of what is sent. */
const sendable = async (key: keyof typeof tables) =>
  (await db().select({ id: tables[key].id }).from(tables[key])).map(({ id }) => id).toSorted()

describe.each(integrationKeys)('%s', (key: IntegrationKey) => {
  const set = async (rows: number) => {
    const other = await startOtherSystem()
    if (isImport(key)) other.items = rowsOf[key as keyof typeof rowsOf](rows)
    const id = await connect(caller, key, other.url, { pageSize: 5 })
    return { other, id }
  }
  /** Checks that each row came through once, and nothing else. */
  const requireAll = async (other: Awaited<ReturnType<typeof startOtherSystem>>) => {
    if (key === 'contractors.import') {
      const codes = (await db().select({ code: contractors.externalCode }).from(contractors)).map(({ code }) => code)
      const expected = other.items.map((item) => (item as { externalCode?: string }).externalCode ?? '')
      for (const code of expected.filter((each) => each !== ''))
        expect(codes.filter((each) => each === code)).toHaveLength(1)
    } else if (key === 'personnel-actions.import') {
      for (const item of other.items as { login: string; values?: object }[]) {
        const [row] = await db().select().from(users).where(eq(users.login, item.login))
        if (row) expect(row.values).toEqual(item.values)
      }
    } else {
      // a page that is sent again has its key again, by which the receiver knows it
      const pages = new Map(other.sent.map((page, at) => [other.asked[at]?.headers['idempotency-key'], page]))
      const ids = [...pages.values()].flatMap((page) => page.items.map((item) => String(item.id)))
      expect(ids.toSorted()).toEqual(await sendable(key as keyof typeof tables))
    }
  }

  test('with a system that is down stops with a word and changes nothing; once it is up again, the run goes on', async () => {
    const { other, id } = await set(7)
    const before = await written()
    other.instead = () => 'hang up'
    const { run, id: runId } = await exchanged(caller, id)
    expect(run).toMatchObject({ state: 'stopped', fault: 'integrationConnection', done: 0 })
    expect(await written()).toEqual(before)
    const journal = await journalOf(runId)
    expect(journal.length).toBeGreaterThan(0)
    for (const row of journal) expect(row).toMatchObject({ key, status: 'error' })
    other.instead = () => undefined
    other.asked = []
    await caller.call(calls.resumeIntegrationRun, { params: { id: runId } })
    expect((await workOnExchange(caller, runId)).run).toMatchObject({ state: 'done', failed: 0 })
    await requireAll(other)
  })

  test('names each wrong row and does the others', async () => {
    const { other, id } = await set(7)
    let wrong = ''
    if (isImport(key)) other.items.splice(3, 0, wrongRow[key as keyof typeof wrongRow])
    else {
      wrong = (await sendable(key as keyof typeof tables))[3] ?? ''
      other.refuses = { [wrong]: 'no such department' }
    }
    const { run, faults } = await exchanged(caller, id)
    expect(run).toMatchObject({ state: 'done', failed: 1 })
    expect(run.done).toBe(run.total - 1)
    expect(faults).toHaveLength(1)
    if (!isImport(key))
      expect(faults).toMatchObject([{ code: 'integrationRefused', params: { reason: 'no such department' } }])
    await requireAll(other)
  })

  test('goes on where its worker was killed, and does each row once', async () => {
    const { other, id } = await set(12)
    const { id: runId } = await caller.call(calls.startIntegrationSync, { params: { id } })
    const killed = new AbortController()
    other.instead = (_, count) => {
      if (count === 2) killed.abort()
      return undefined
    }
    await processRows(batchKinds, runId, killed.signal)
    expect((await caller.call(calls.readIntegrationRun, { params: { id: runId } })).run.state).toBe('running')
    await Promise.all([processRows(batchKinds, runId), processRows(batchKinds, runId)])
    const { run } = await workOnExchange(caller, runId)
    expect(run).toMatchObject({ state: 'done', failed: 0 })
    expect(run.done).toBe(run.total)
    await requireAll(other)
  })

  test('is started once, by thirty people and by the schedule at the same time', async () => {
    const { id } = await set(3)
    const answers = await thirty(() => caller.send(calls.startIntegrationSync, { params: { id } }))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of answers)
      if (status !== 200) expect([status, (body as { code?: string }).code]).toEqual([409, 'integrationRunning'])
    await Promise.all([startDueExchanges(new Date()), startDueExchanges(new Date())])
    expect(await db().$count(runs, eq(runs.subject, id))).toBe(1)
  })
})
