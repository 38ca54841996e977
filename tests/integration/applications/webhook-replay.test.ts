import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { outboxDeliveries, outboxEvents, webhooks } from '@/db/schema'
import * as calls from '@/lib/applications/webhooks/contract'
import { thirty } from '../../factories/at-once'
import { runJobs } from '../../factories/messages'
import { caseNumbers } from '../../factories/random-cases'
import { startReceiver } from '../../factories/webhook-receiver'
import { createHook, type Hook, happen, hookOf, later, logOf } from '../../factories/webhooks'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
// a webhook of one test hears nothing of the next one
afterEach(() => db().delete(webhooks))

const openOf = ({ webhookId }: Hook) =>
  db().$count(
    outboxDeliveries,
    and(eq(outboxDeliveries.handler, `webhook:${webhookId}`), sql`${outboxDeliveries.state} in ('waiting', 'dead')`),
  )
const body = (hook: { name?: string; url: string }) => ({ name: 'Склад', types: ['user.created'] as never, ...hook })

describe('a replay', () => {
  const span = (from = -3_600, to = 3_600) => ({
    from: new Date(Date.now() + from * 1_000).toISOString(),
    to: new Date(Date.now() + to * 1_000).toISOString(),
  })

  test('of one message sends the same body with the same id', async () => {
    const receiver = await startReceiver()
    const hook = await createHook(receiver.url)
    await happen()
    await runJobs()
    const [delivery] = await logOf(hook)
    const params = { ...hook.params, deliveryId: delivery?.id ?? '' }
    await hook.caller.call(calls.replayWebhookDelivery, { params })
    expect(await hook.caller.send(calls.replayWebhookDelivery, { params })).toMatchObject({
      status: 409,
      body: { code: 'webhookWaiting' },
    })
    await runJobs()
    const [first, second] = receiver.received
    expect([second?.headers['webhook-id'], second?.body]).toEqual([first?.headers['webhook-id'], first?.body])
    expect(await logOf(hook)).toMatchObject([{ status: 'success', attempts: 1 }])
    // the log outlives the event
    await db().delete(outboxEvents)
    expect(await hook.caller.send(calls.replayWebhookDelivery, { params })).toMatchObject({
      status: 409,
      body: { code: 'webhookEventGone' },
    })
  })

  test('of a span brings back what happened while it was disabled, and nothing outside of the span or of other types', async () => {
    const receiver = await startReceiver()
    const hook = await createHook(receiver.url)
    const { caller, params } = hook
    await caller.call(calls.enableWebhook, { params, body: { enabled: false } })
    await db().delete(outboxEvents)
    const hour = 3_600_000
    const early = await happen({ date: new Date(Date.now() - 2 * hour) })
    const missed = [await happen(), await happen(), await happen()]
    await happen({ entity: 'roles' })
    await runJobs()
    expect(receiver.received).toEqual([])
    expect(await caller.send(calls.replayWebhook, { params, body: span() })).toMatchObject({
      status: 409,
      body: { code: 'webhookDisabled' },
    })
    await caller.call(calls.enableWebhook, { params, body: { enabled: true } })
    expect(await caller.call(calls.replayWebhook, { params, body: span() })).toEqual({ events: 3 })
    await runJobs()
    await runJobs()
    expect(
      receiver
        .messages()
        .map(({ data }) => data.id)
        .sort(),
    ).toEqual([...missed].sort())
    expect(receiver.messages().map(({ data }) => data.id)).not.toContain(early)
    // once more, in order, with the same ids
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']).sort()
    receiver.received.length = 0
    await caller.call(calls.replayWebhook, { params, body: span() })
    await runJobs()
    await runJobs()
    expect(receiver.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(ids)
  })

  test('of more than a job does at once is whole, and each object in its order', async () => {
    const receiver = await startReceiver()
    const hook = await createHook(receiver.url)
    await hook.caller.call(calls.enableWebhook, { params: hook.params, body: { enabled: false } })
    const objects = Array.from({ length: 20 }, () => randomUUID())
    for (let n = 0; n < 30; n++)
      await db()
        .insert(outboxEvents)
        .values(
          objects.map((entityId) => ({
            topic: 'users',
            type: 'update',
            entity: 'users',
            entityId,
            payload: { [`f${n}`]: { current: n } },
            requestId: 'test',
            date: new Date(),
          })),
        )
    await hook.caller.call(calls.enableWebhook, { params: hook.params, body: { enabled: true } })
    await hook.caller.call(calls.replayWebhook, { params: hook.params, body: span() })
    for (let round = 0; (await openOf(hook)) > 0 || round < 3; round++) await runJobs()
    const got = receiver.messages().filter(({ data }) => objects.some((id) => id === data.id))
    expect(got).toHaveLength(600)
    for (const id of objects)
      expect(got.filter(({ data }) => data.id === id).map(({ data }) => data.changedFields[0])).toEqual(
        Array.from({ length: 30 }, (_, n) => `f${n}`),
      )
  })
})

describe('many at once', () => {
  test('30 changes of one object at once arrive in the order of their commits, with three workers', async () => {
    const random = caseNumbers(8)
    const receiver = await startReceiver(() => (random(4) === 0 ? 500 : 204))
    const hook = await createHook(receiver.url)
    const id = randomUUID()
    await runJobs()
    await thirty((n) => happen({ id, changes: { [`f${n}`]: { current: n } } }))
    while ((await openOf(hook)) > 0) await Promise.all([later(), later(), later()])
    const committed = await db()
      .select({ id: outboxDeliveries.id })
      .from(outboxDeliveries)
      .where(and(eq(outboxDeliveries.entityId, id), eq(outboxDeliveries.handler, `webhook:${hook.webhookId}`)))
      .orderBy(outboxDeliveries.eventId)
    const first = [...new Set(receiver.received.map(({ headers }) => headers['webhook-id']))]
    expect(first).toEqual(committed.map((delivery) => `msg_${delivery.id.replaceAll('-', '')}`))
    expect(first).toHaveLength(30)
  })

  test('30 people who rotate one version at once make one secret', async () => {
    const hook = await createHook('http://127.0.0.1:1/')
    const { updatedAt } = await hookOf(hook)
    const answered = await thirty(() =>
      hook.caller.send(calls.rotateWebhookSecret, { params: hook.params, body: { updatedAt } }),
    )
    expect(answered.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 29 }, () => 409)])
    expect((await hookOf(hook)).secrets).toHaveLength(2)
  })

  test('30 new webhooks at once are no more than an application may have', async () => {
    const hook = await createHook('http://127.0.0.1:1/')
    const params = { id: hook.params.id }
    const answered = await thirty(() =>
      hook.caller.send(calls.createWebhook, { params, body: body({ url: 'https://receiver.example/' }) }),
    )
    expect(answered.filter(({ status }) => status === 200)).toHaveLength(calls.mostWebhooks - 1)
    expect(answered.filter(({ status }) => status === 409)).toHaveLength(30 - calls.mostWebhooks + 1)
  })
})
