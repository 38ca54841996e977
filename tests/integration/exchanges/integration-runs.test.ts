import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { contractors, dynamicFields, history, integrationExchanges, runs, users } from '@/db/schema'
import { processRows } from '@/lib/base/batch-jobs/process-rows'
import * as calls from '@/lib/exchanges/exchanges/contract'
import { startDueExchanges } from '@/lib/exchanges/exchanges/start'
import { batchKinds } from '@/lib/wiring/runs'
import { signedInWith } from '../../factories/access'
import { thirty } from '../../factories/at-once'
import { Caller } from '../../factories/caller'
import { connect, integrator, workOnExchange } from '../../factories/integration'
import { contractorItem } from '../../factories/integration-items'
import { startOtherSystem } from '../../factories/other-system'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
beforeAll(() => db().update(dynamicFields).set({ adminRequired: false, integrationRequired: false }))

const byCode = async (code: unknown) =>
  (
    await db()
      .select()
      .from(contractors)
      .where(eq(contractors.externalCode, String(code)))
  )[0]

describe('a run', () => {
  test('that is killed between two pages, or with a page in hand, goes on and does each row once', async () => {
    const [caller, source] = [await integrator(), await startOtherSystem()]
    source.items = Array.from({ length: 35 }, () => contractorItem())
    const id = await connect(caller, 'contractors.import', source.url)
    const { id: runId } = await caller.call(calls.startIntegrationSync, { params: { id } })
    const killed = new AbortController()
    source.instead = (_, count) => {
      if (count === 3) killed.abort()
      return undefined
    }
    // the process ends while its third page is on the way: that is no fault of the source
    await processRows(batchKinds, runId, killed.signal)
    expect((await caller.call(calls.readIntegrationRun, { params: { id: runId } })).run).toMatchObject({
      state: 'running',
      total: 20,
    })
    // two workers go on at once
    await Promise.all([processRows(batchKinds, runId), processRows(batchKinds, runId)])
    const { run } = await workOnExchange(caller, runId)
    expect(run).toMatchObject({ state: 'done', total: 35, done: 35, failed: 0 })
    for (const { externalCode } of source.items as { externalCode: string }[]) {
      const made = await byCode(externalCode)
      const created = and(
        eq(history.entity, 'contractors'),
        eq(history.entityId, made?.id ?? ''),
        eq(history.field, 'name'),
      )
      expect(await db().$count(history, created)).toBe(1)
    }
  })

  test('of an export that is killed sends its page again under the same key', async () => {
    const [caller, receiver] = [await integrator(), await startOtherSystem()]
    for (let at = 0; at < 12; at++) await createUser()
    const id = await connect(caller, 'users.export', receiver.url)
    const { id: runId } = await caller.call(calls.startIntegrationSync, { params: { id } })
    const killed = new AbortController()
    receiver.instead = async (_, count) => {
      if (count === 2) killed.abort()
      return undefined
    }
    await processRows(batchKinds, runId, killed.signal)
    await workOnExchange(caller, runId)
    const keys = receiver.asked.map(({ headers }) => headers['idempotency-key'])
    expect(keys.slice(0, 3)).toEqual([`${runId}-1`, `${runId}-2`, `${runId}-2`])
    const { run } = await caller.call(calls.readIntegrationRun, { params: { id: runId } })
    expect(run).toMatchObject({ state: 'done', done: await db().$count(users), failed: 0 })
  })

  test('is one at a time, however many start it at once', async () => {
    const [caller, source] = [await integrator(), await startOtherSystem()]
    const id = await connect(caller, 'contractors.import', source.url)
    const answers = await thirty(() => caller.send(calls.startIntegrationSync, { params: { id } }))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(29)
    await Promise.all([startDueExchanges(new Date()), startDueExchanges(new Date())])
    expect(await db().$count(runs, eq(runs.subject, id))).toBe(1)
  })

  test('begins by the schedule, goes on after a fault of the other side, and waits after a stop', async () => {
    const [caller, source] = [await integrator(), await startOtherSystem()]
    const id = await connect(caller, 'contractors.import', source.url, { periodUnit: 1, periodAmount: 'hours' })
    const count = () => db().$count(runs, eq(runs.subject, id))
    const later = (hours: number) => new Date(Date.now() + hours * 3_600_000)
    const last = async () => (await caller.call(calls.readIntegrationSync, { params: { id } })).synchronization.details
    await startDueExchanges(later(0.01))
    await startDueExchanges(later(0.5))
    expect(await count()).toBe(1)
    source.instead = () => 404
    await workOnExchange(caller, (await last()).runId ?? '')
    expect(await last()).toMatchObject({ status: 'error', fault: 'integrationAnswer', held: false })
    await startDueExchanges(later(1.1))
    expect(await count()).toBe(2)
    const { runId } = await last()
    await caller.call(calls.stopIntegrationRun, { params: { id: runId ?? '' } })
    expect(await last()).toMatchObject({ held: true, nextAt: null })
    await startDueExchanges(later(10))
    expect(await count()).toBe(2)
    source.instead = () => undefined
    await caller.call(calls.resumeIntegrationRun, { params: { id: runId ?? '' } })
    expect((await workOnExchange(caller, runId ?? '')).run).toMatchObject({ state: 'done' })
    await startDueExchanges(later(10))
    expect(await count()).toBe(3)
  })

  test('never works with the rights of a person for what another one has set up', async () => {
    const [caller, source, hostile] = [await integrator(), await startOtherSystem(), await startOtherSystem()]
    hostile.items = [contractorItem()]
    const id = await connect(caller, 'contractors.import', source.url)
    const { id: runId } = await caller.call(calls.startIntegrationSync, { params: { id } })
    // whoever may only set up exchanges sets up none that writes contractors
    const alone = new Caller((await signedInWith(['integration.write'])).browser)
    const body = { url: hostile.url }
    expect((await alone.send(calls.updateIntegrationSync, { params: { id }, body })).status).toBe(403)
    const other = await integrator()
    await other.call(calls.updateIntegrationSync, { params: { id }, body })
    expect((await workOnExchange(caller, runId)).run).toMatchObject({
      state: 'stopped',
      fault: 'integrationActorChanged',
    })
    expect([source.asked, hostile.asked]).toEqual([[], []])
  })

  test('stops when the person with whose rights it works loses them', async () => {
    const [{ user, browser }, source] = [
      await signedInWith(['integration.write', 'contractors.write']),
      await startOtherSystem(),
    ]
    source.items = Array.from({ length: 15 }, () => contractorItem())
    const caller = new Caller(browser)
    const id = await connect(caller, 'contractors.import', source.url)
    const { id: runId } = await caller.call(calls.startIntegrationSync, { params: { id } })
    source.instead = async (_, count) => {
      if (count === 2) await db().update(users).set({ enabled: false }).where(eq(users.id, user.id))
      return undefined
    }
    const { run } = await workOnExchange(await integrator(), runId)
    expect(run).toMatchObject({ state: 'stopped', fault: 'integrationActor', done: 0 })
    expect(await db().$count(integrationExchanges, eq(integrationExchanges.runId, runId))).toBe(2)
  })
})
