// @module-tag full
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { outboxDeliveries, webhookDeliveries } from '@/db/schema'
import { messageIdOf } from '@/lib/applications/webhooks/send-event'
import { type Received, startReceiver, type WebhookMessage } from '../../factories/webhook-receiver'
import { createHook, happen } from '../../factories/webhooks'
import { startWorker } from '../../factories/worker-process'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
const running = new Set<Awaited<ReturnType<typeof startWorker>>>()
afterAll(async () => {
  for (const worker of running) await worker.end('SIGKILL')
})

/** Starts a worker as production does. */
async function working() {
  const worker = await startWorker('return allTasks()')
  running.add(worker)
  return worker
}

const [objects, changes] = [40, 10]
const killAt = 150
/** How many messages of one application a worker sends at once. */
const atOnce = 2

const idOf = ({ headers }: Received) => String(headers['webhook-id'])

test('a worker that is killed among several hundred messages loses none: each arrives, in the order of its object, and what comes twice has the same id', async () => {
  let reached = () => {}
  const halfway = new Promise<void>((resolve) => {
    reached = resolve
  })
  const unanswered = new Set<string>()
  // once the worker is to die, nothing is answered: it dies while it waits for answers
  const receiver = await startReceiver((message, count) => {
    if (count < killAt) return 204
    if (unanswered.add(idOf(message)).size === atOnce) reached()
    return 'never'
  })
  const hook = await createHook(receiver.url)
  const ids = Array.from({ length: objects }, () => randomUUID())
  // the name of the changed field says which change of its object it is
  for (let at = 0; at < changes; at++)
    for (const id of ids) await happen({ id, changes: { [`step${at}`]: { current: at } } })

  const first = await working()
  await halfway
  expect(await first.end('SIGKILL')).toBe('SIGKILL')
  running.delete(first)
  const before = receiver.received.length
  expect(before).toBeGreaterThanOrEqual(killAt)
  expect(before).toBeLessThan(objects * changes)
  receiver.answer = () => 204

  await working()
  const open = () => db().$count(outboxDeliveries, sql`${outboxDeliveries.state} <> 'delivered'`)
  await expect.poll(open, { timeout: 60_000, interval: 250 }).toBe(0)

  const deliveries = await db().select({ id: outboxDeliveries.id }).from(outboxDeliveries)
  expect(deliveries).toHaveLength(objects * changes)
  const received = Map.groupBy(receiver.received, idOf)
  expect([...received.keys()].toSorted()).toEqual(deliveries.map(({ id }) => messageIdOf(id)).toSorted())

  // only what the dead worker got no answer to comes twice, and then it is the same message
  const twice = [...received].filter(([, all]) => all.length > 1)
  expect(twice.map(([id]) => id).toSorted()).toEqual([...unanswered].toSorted())
  for (const [, all] of twice) expect(new Set(all.map(({ body }) => body)).size).toBe(1)
  for (const { body, headers } of receiver.received)
    expect(new Webhook(hook.secret).verify(body, headers as Record<string, string>)).toBeTruthy()

  const steps = new Map<string, number[]>()
  for (const { body } of receiver.received) {
    const { data } = JSON.parse(body) as WebhookMessage
    steps.set(data.id, [...(steps.get(data.id) ?? []), Number(data.changedFields[0]?.slice('step'.length))])
  }
  for (const id of ids) {
    const order = steps.get(id) ?? []
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(new Set(order).size).toBe(changes)
  }
  const logged = await db()
    .select({ status: webhookDeliveries.status, attempts: webhookDeliveries.attempts })
    .from(webhookDeliveries)
  expect(logged).toHaveLength(objects * changes)
  expect(new Set(logged.map(({ status }) => status))).toEqual(new Set(['success']))
  expect(logged.filter(({ attempts }) => attempts === 2)).toHaveLength(unanswered.size)
}, 120_000)
