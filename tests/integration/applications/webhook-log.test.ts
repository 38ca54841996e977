import { eq } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { db } from '@/db/client'
import { webhookDeliveries, webhooks } from '@/db/schema'
import { listNotices } from '@/lib/news/notifications/contract'
import { signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { runJobs } from '../../factories/messages'
import { startReceiver } from '../../factories/webhook-receiver'
import { createHook, happen, hookOf, logOf, messageOf } from '../../factories/webhooks'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
// a webhook of one test hears nothing of the next one
afterEach(() => db().delete(webhooks))

test('the log is filtered by outcome, type and day, in the zone of the reader', async () => {
  const receiver = await startReceiver((_, count) => (count === 1 ? 500 : 200))
  const hook = await createHook(receiver.url, { types: ['user.updated', 'user.created'] })
  await happen()
  await happen({ type: 'create' })
  await runJobs()
  const filtered = async (filter: object) => (await logOf(hook, { filter })).map(({ type, status }) => [type, status])
  const [both, failed, made] = [
    await filtered({}),
    await filtered({ status: ['wait'] }),
    await filtered({ type: ['user.created'] }),
  ]
  expect({ both: both.length, failed: failed.length, made: made.length }).toEqual({ both: 2, failed: 1, made: 1 })
  // 22:30 UTC is the next day in Moscow
  await db()
    .update(webhookDeliveries)
    .set({ createdAt: new Date('2026-11-20T22:30:00Z') })
    .where(eq(webhookDeliveries.type, 'user.created'))
  expect(await filtered({ createdFrom: '2026-11-21', createdTo: '2026-11-21' })).toEqual([['user.created', 'success']])
  expect(await filtered({ createdFrom: '2026-11-20', createdTo: '2026-11-20' })).toEqual([])
  expect(await filtered({ createdTo: '2026-11-21' })).toHaveLength(1)
})

test('a webhook says how its newest message went, and a message what was sent and answered', async () => {
  const receiver = await startReceiver(() => ({ status: 503, body: 'later' }))
  const hook = await createHook(receiver.url)
  expect((await hookOf(hook)).last).toBeNull()
  await happen()
  await runJobs()
  expect((await hookOf(hook)).last).toMatchObject({
    ...{ status: 'wait', type: 'user.updated', httpStatus: 503, fault: 'webhookAnswer' },
    at: expect.any(String),
  })
  const [logged] = await logOf(hook)
  expect(logged).not.toHaveProperty('response')
  expect(await messageOf(hook, logged?.id ?? '')).toMatchObject({
    ...logged,
    request: receiver.received[0]?.body,
    response: 'later',
  })
})

test('the notice of a disabled webhook leads to the webhooks of its application', async () => {
  const { browser } = await signedInWith(['applications.write'])
  const receiver = await startReceiver(() => 410)
  const hook = await createHook(receiver.url)
  await happen()
  await runJobs()
  await runJobs()
  const { notices } = await new Caller(browser).call(listNotices, { query: {} as never })
  expect(notices.find(({ kind }) => kind === 'webhookDisabled')).toMatchObject({
    link: `/platform/setting/applications/${hook.params.id}?tab=webhooks`,
  })
})
