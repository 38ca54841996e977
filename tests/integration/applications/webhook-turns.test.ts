import { afterAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { outboxDeliveries } from '@/db/schema'
import * as calls from '@/lib/applications/webhooks/contract'
import { startReceiver } from '../../factories/webhook-receiver'
import { createHook, happen, listeningApplication, webhookAdministrator } from '../../factories/webhooks'
import { startWorker } from '../../factories/worker-process'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
const running = new Set<Awaited<ReturnType<typeof startWorker>>>()
afterAll(async () => {
  for (const worker of running) await worker.end('SIGKILL')
})

const [applications, hooks] = [6, 5]

/** An application whose webhooks stand at one address. */
async function listening(url: string) {
  const [caller, { id }] = [await webhookAdministrator(), await listeningApplication()]
  const body = { name: 'Склад', url, types: ['user.updated'] as never }
  for (let n = 0; n < hooks; n++) await caller.call(calls.createWebhook, { params: { id }, body })
}

test('receivers of several applications that never answer hold one message each while an honest webhook gets all of its own', async () => {
  const hostile = await Promise.all(Array.from({ length: applications }, () => startReceiver(() => 'never')))
  for (const { url } of hostile) await listening(url)
  const honest = await startReceiver()
  // it hears last
  await createHook(honest.url)
  const begun = () => hostile.map(({ received }) => received.length)
  running.add(await startWorker('return allTasks()'))

  await happen()
  // a try that hangs takes 15 seconds: nobody has had a second turn
  await expect.poll(() => [honest.received.length, ...begun()], { timeout: 10_000 }).toEqual(Array(7).fill(1))
  for (let n = 2; n <= 6; n++) {
    await happen()
    await expect.poll(() => honest.received.length, { timeout: 10_000 }).toBe(n)
  }
  expect(await db().$count(outboxDeliveries)).toBe(6 * (applications * hooks + 1))
}, 60_000)
