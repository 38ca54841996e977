import { eq, inArray, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, outboxDeliveries, outboxEvents } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import type { Ctx } from '@/lib/base/context/ctx'
import { eventRetentionDays, rescheduleLateDeliveries, tidyEvents } from '@/lib/base/events/delivery/housekeeping'
import { addDeliveryMetrics } from '@/lib/base/events/delivery/metrics'
import { metrics } from '@/lib/base/runtime/metrics'
import { overview } from '@/lib/operations/overview/service'
import { UndeliveredQuery } from '@/lib/operations/undelivered-events/contract'
import { listUndelivered, retryEvent, skipEvent } from '@/lib/operations/undelivered-events/service'
import { allTasks } from '@/lib/wiring/tasks'
import { createContext } from '../../factories/context'
import { changeThing, letTimePass, listenToThings, statesOf, thingOf } from '../../factories/events'
import { runJobs } from '../../factories/messages'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
beforeEach(async () => {
  await db().delete(outboxEvents)
})

const holder = () => createContext({ methods: ['monitoring.read', 'monitoring.write'] })
const undelivered = async (ctx: Ctx, query = {}) => listUndelivered(ctx, { query: UndeliveredQuery.parse(query) })
const storing = (handler: string, id: string) => db().transaction((tx) => changeThing(tx, handler, id))

/** An object whose first of three events was given up. */
async function deadStream(handler: string) {
  const id = crypto.randomUUID()
  for (let at = 0; at < 3; at++) await storing(handler, id)
  const [first] = await db()
    .select()
    .from(outboxDeliveries)
    .where(eq(outboxDeliveries.entityId, id))
    .orderBy(outboxDeliveries.eventId)
    .limit(1)
  await db()
    .update(outboxDeliveries)
    .set({ state: 'dead', attempts: 14, error: 'Error: refused', finishedAt: new Date() })
    .where(eq(outboxDeliveries.id, first?.id ?? ''))
  await runJobs()
  return { id, delivery: first?.id ?? '' }
}

/** A delivery to a handler of another version, with the given age. */
async function strangeDelivery(handler: string, minutes: number) {
  const id = crypto.randomUUID()
  await storing(handler, id)
  const [row] = await db()
    .update(outboxDeliveries)
    .set({ handler: 'of-another-version', createdAt: sql`now() - ${minutes} * interval '1 minute'` })
    .where(eq(outboxDeliveries.entityId, id))
    .returning({ id: outboxDeliveries.id })
  return row?.id ?? ''
}

const retried = listenToThings('retried')
const skipped = listenToThings('skipped')

describe('an event that was given up', () => {
  test('is shown with the events that wait behind it, and counted in the overview', async () => {
    const { id, delivery } = await deadStream('retried')
    const ctx = await holder()
    const { events, meta } = await undelivered(ctx)
    expect(events).toMatchObject([
      {
        id: delivery,
        reason: 'failed',
        handler: 'retried',
        topic: thingOf('retried'),
        entity: thingOf('retried'),
        entityId: id,
        attempts: 14,
        error: 'Error: refused',
        waiting: 2,
      },
    ])
    expect(events[0]).not.toHaveProperty('payload')
    expect(meta.total).toBe(1)
    expect((await undelivered(ctx, { filter: { handler: 'another' } })).events).toEqual([])
    dropCached('overview')
    const viewer = { methods: new Set(['monitoring.read']) }
    expect((await overview(viewer)).matters).toContainEqual({
      code: 'deadEvents',
      count: 1,
      tone: 'danger',
      screen: null,
    })
  })

  test('is delivered after a retry, and then the waiting ones in order; 30 retries at once are one', async () => {
    const { id, delivery } = await deadStream('retried')
    const ctx = await holder()
    const all = await Promise.allSettled(
      Array.from({ length: 30 }, () => retryEvent(ctx, { params: { id: delivery } })),
    )
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of all) if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 409 })
    await runJobs()
    const ofThis = retried.filter(({ entityId }) => entityId === id)
    expect(ofThis.map(({ count, info }) => [count, info.attempt])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ])
    expect(await db().select().from(history).where(eq(history.entityId, delivery))).toMatchObject([
      { type: 'update', entity: 'events', field: 'state', previous: 'dead', current: 'waiting' },
    ])
  })

  test('is omitted after a skip; of a retry and a skip at once one happens', async () => {
    const { id, delivery } = await deadStream('skipped')
    const ctx = await holder()
    const params = { id: delivery }
    const both = await Promise.allSettled([skipEvent(ctx, { params }), skipEvent(ctx, { params })])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await runJobs()
    expect(skipped.filter(({ entityId }) => entityId === id).map(({ count }) => count)).toEqual([2, 3])
    expect(await statesOf('skipped')).toEqual({ skipped: 1, delivered: 2 })

    const raced = await deadStream('skipped')
    const decisions = Array.from({ length: 30 }, (_, at) =>
      (at % 2 ? skipEvent : retryEvent)(ctx, { params: { id: raced.delivery } }),
    )
    const done = (await Promise.allSettled(decisions)).filter(({ status }) => status === 'fulfilled')
    expect(done).toHaveLength(1)
  })

  test('can be decided only by people with the right, and only while it waits', async () => {
    const { delivery } = await deadStream('retried')
    const params = { id: delivery }
    const [nobody, reader] = [await createContext(), await createContext({ methods: ['monitoring.read'] })]
    for (const verb of [retryEvent, skipEvent]) {
      await expect(verb(nobody, { params })).rejects.toMatchObject({ status: 401 })
      await expect(verb(reader, { params })).rejects.toMatchObject({ status: 403 })
      await expect(verb(await holder(), { params: { id: crypto.randomUUID() } })).rejects.toMatchObject({ status: 404 })
    }
    await expect(undelivered(await createContext({ methods: ['users.read'] }))).rejects.toMatchObject({ status: 403 })
    await retryEvent(await holder(), { params })
    await runJobs()
    for (const verb of [retryEvent, skipEvent])
      await expect(verb(await holder(), { params })).rejects.toMatchObject({ status: 409 })
  })
})

describe('a handler that this version doesn’t know', () => {
  test('keeps its events and jobs: this worker takes none of them', async () => {
    await strangeDelivery('retried', 0)
    await db().execute(sql`select graphile_worker.add_job('event:of-another-version')`)
    expect(Object.keys(allTasks())).not.toContain('event:of-another-version')
    await runJobs()
    await letTimePass()
    await runJobs()
    expect(await statesOf('of-another-version')).toEqual({ waiting: 1 })
    const { rows } = await db().execute(
      sql`select attempts from graphile_worker.jobs where task_identifier = 'event:of-another-version'`,
    )
    expect(rows).toEqual([{ attempts: 0 }])
  })

  test('is no problem while versions are exchanged, and is reported if it lasts', async () => {
    const fresh = await strangeDelivery('retried', 5)
    const ctx = await holder()
    expect((await undelivered(ctx)).events).toEqual([])
    await expect(skipEvent(ctx, { params: { id: fresh } })).rejects.toMatchObject({ status: 409 })
    const old = await strangeDelivery('retried', 30)
    expect((await undelivered(ctx)).events).toMatchObject([
      { id: old, reason: 'unknown', handler: 'of-another-version' },
    ])
    dropCached('overview')
    const { matters } = await overview({ methods: new Set(['monitoring.read']) })
    expect(matters).toContainEqual({ code: 'strandedEvents', count: 1, tone: 'warning', screen: null })
    await expect(retryEvent(ctx, { params: { id: old } })).rejects.toMatchObject({ status: 409 })
    await skipEvent(ctx, { params: { id: old } })
    expect(await statesOf('of-another-version')).toEqual({ waiting: 1, skipped: 1 })
  })

  test('isn’t subscribed to topics that only another version has', async () => {
    const id = crypto.randomUUID()
    await storing('retried', id)
    await db().update(outboxEvents).set({ topic: 'of-the-next-version' }).where(eq(outboxEvents.entityId, id))
    await runJobs()
    expect(await statesOf('retried')).toEqual({ waiting: 1 })
    const [row] = await db().select().from(outboxDeliveries).where(eq(outboxDeliveries.entityId, id))
    expect(row?.attempts).toBe(0)
    // its job is repeated, for a worker that may know the handler
    const { rows } = await db().execute(
      sql`select run_at > now() as later from graphile_worker.jobs
        where key = 'event:retried:' || md5(${`${row?.entity} ${id}`})`,
    )
    expect(rows).toEqual([{ later: true }])
  })
})

describe('housekeeping of events', () => {
  const age = (days: number, ids: string[]) =>
    db()
      .update(outboxEvents)
      .set({ date: sql`now() - ${days} * interval '1 day'` })
      .where(inArray(outboxEvents.entityId, ids))

  test('removes events a week after everybody got them, and keeps the others', async () => {
    const [old, young] = [crypto.randomUUID(), crypto.randomUUID()]
    await storing('retried', old)
    await storing('retried', young)
    await runJobs()
    const dead = await deadStream('retried')
    await age(eventRetentionDays + 1, [old, dead.id])
    await age(eventRetentionDays - 1, [young])
    await tidyEvents(new Date(Date.now() - 45 * 86_400_000))
    const remaining = await db().select().from(outboxEvents)
    expect(remaining.map(({ entityId }) => entityId).sort()).toEqual([young, dead.id, dead.id, dead.id].sort())
    expect(await db().$count(outboxDeliveries)).toBe(4)
    // what nobody has decided on isn't kept for ever
    await age(46, [dead.id])
    await tidyEvents(new Date(Date.now() - 45 * 86_400_000))
    expect(await db().$count(outboxEvents)).toBe(1)
  })

  test('creates a missing job for a late delivery, and none behind a dead one', async () => {
    const id = crypto.randomUUID()
    const dead = await deadStream('retried')
    await storing('retried', id)
    await db().execute(sql`delete from graphile_worker._private_jobs`)
    await rescheduleLateDeliveries()
    expect(await statesOf('retried')).toEqual({ waiting: 3, dead: 1 })
    await db().update(outboxDeliveries).set({ tryAt: sql`now() - interval '3 minutes'` })
    await rescheduleLateDeliveries()
    const { rows } = await db().execute(sql`select count(*)::int as count from graphile_worker.jobs`)
    expect(rows).toEqual([{ count: 1 }])
    await runJobs()
    expect(retried.filter(({ entityId }) => entityId === id)).toHaveLength(1)
    expect(retried.filter(({ entityId }) => entityId === dead.id)).toEqual([])
  })
})

test('deliveries are counted by handler and state', async () => {
  await storing('retried', crypto.randomUUID())
  await runJobs()
  await deadStream('retried')
  const failed = crypto.randomUUID()
  await storing('skipped', failed)
  await db().update(outboxDeliveries).set({ error: 'Error: refused' }).where(eq(outboxDeliveries.entityId, failed))
  addDeliveryMetrics()
  addDeliveryMetrics()
  const text = await metrics().registry.getSingleMetricAsString('platform_event_deliveries')
  expect(text).toContain('platform_event_deliveries{handler="retried",state="delivered"} 1')
  expect(text).toContain('platform_event_deliveries{handler="retried",state="dead"} 1')
  expect(text).toContain('platform_event_deliveries{handler="retried",state="waiting"} 2')
  expect(text).toContain('platform_event_deliveries{handler="skipped",state="failed"} 1')
})
