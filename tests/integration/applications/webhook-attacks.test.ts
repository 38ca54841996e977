import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { webhookDeliveries, webhooks } from '@/db/schema'
import * as calls from '@/lib/applications/webhooks/contract'
import { signedInWith } from '../../factories/access'
import { type AnyContract, Caller } from '../../factories/caller'
import { runJobs } from '../../factories/messages'
import { startReceiver } from '../../factories/webhook-receiver'
import { createHook, type Hook, happen, logOf } from '../../factories/webhooks'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const isContract = (value: unknown): value is AnyContract =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'response' in value
const all: readonly AnyContract[] = Object.values(calls as Record<string, unknown>).filter(isContract)
/** All calls on one webhook. */
const onOne = all.filter(({ path }) => path.includes('{webhookId}'))
const writes = all.filter(({ method }) => method !== 'GET')

const bodies: Record<string, object> = {
  createWebhook: { name: 'Чужой', url: 'http://127.0.0.1:1/', types: ['user.updated'] },
  updateWebhook: { name: 'Чужой', url: 'http://127.0.0.1:1/', types: ['user.updated'] },
  enableWebhook: { enabled: false },
  rotateWebhookSecret: {},
  get replayWebhook() {
    return { from: new Date(Date.now() - 3_600_000).toISOString(), to: new Date().toISOString() }
  },
}
const inputOf = ({ name, path }: AnyContract, params: Record<string, string>) => ({
  params: Object.fromEntries(Object.entries(params).filter(([key]) => path.includes(`{${key}}`))),
  ...(bodies[name] ? { body: bodies[name] } : {}),
})

type Heard = { hook: Hook; receiver: Awaited<ReturnType<typeof startReceiver>>; deliveryId: string }
let [one, other] = [] as unknown as [Heard, Heard]
async function heard(): Promise<Heard> {
  const receiver = await startReceiver()
  const hook = await createHook(receiver.url, { methods: ['users.read'], types: ['user.updated'] })
  await happen()
  await runJobs()
  return { hook, receiver, deliveryId: (await logOf(hook))[0]?.id ?? '' }
}
beforeAll(async () => {
  one = await heard()
  other = await heard()
})

/** Everything that is stored of both, and how much their receivers got. */
const state = async () => [
  await db().select().from(webhooks).orderBy(webhooks.id),
  await db().select().from(webhookDeliveries).orderBy(webhookDeliveries.id),
  one.receiver.received.length,
  other.receiver.received.length,
]

test('another application’s webhook, or another webhook’s message, is unknown to every call, and nothing happens to it', async () => {
  expect(onOne.length).toBeGreaterThanOrEqual(11)
  const before = await state()
  for (const call of onOne) {
    const ways = [{ id: one.hook.params.id, webhookId: other.hook.webhookId, deliveryId: other.deliveryId }]
    if (call.path.includes('{deliveryId}'))
      ways.push({ id: one.hook.params.id, webhookId: one.hook.webhookId, deliveryId: other.deliveryId })
    for (const params of ways) {
      const { status } = await one.hook.caller.send(call, inputOf(call, params))
      expect([call.name, status]).toEqual([call.name, 404])
    }
  }
  await runJobs()
  expect(await state()).toEqual(before)
})

test('whoever lacks a method of the service account looks, and makes nothing that would let them hear by it', async () => {
  const before = await state()
  const params = { ...one.hook.params, deliveryId: one.deliveryId }
  const weak = new Caller((await signedInWith(['applications.read', 'applications.write'])).browser)
  for (const call of writes) {
    const { status, body } = await weak.send(call, inputOf(call, params))
    expect({ call: call.name, status, code: (body as { code?: string }).code }).toEqual({
      call: call.name,
      status: 403,
      code: 'forbiddenApplication',
    })
  }
  const looking = new Caller((await signedInWith(['applications.read'])).browser)
  const strange = new Caller((await signedInWith(['users.write', 'history.read'])).browser)
  for (const call of all) {
    const { status } = await looking.send(call, inputOf(call, params))
    expect([call.name, status]).toEqual([call.name, call.method === 'GET' ? 200 : 403])
    expect((await strange.send(call, inputOf(call, params))).status).toBe(403)
  }
  await runJobs()
  expect(await state()).toEqual(before)
})

test('what is read by a person never has a secret, also after rotations and tests', async () => {
  const secrets = [one.hook.secret]
  const { caller, params } = one.hook
  for (let round = 0; round < 3; round++) {
    secrets.push((await caller.call(calls.rotateWebhookSecret, { params, body: {} })).secret)
    await caller.call(calls.testWebhook, { params })
  }
  const read = await Promise.all(
    all
      .filter(({ method }) => method === 'GET')
      .map(async (call) => (await caller.send(call, inputOf(call, { ...params, deliveryId: one.deliveryId }))).body),
  )
  const text = JSON.stringify(read)
  expect(text).toContain(secrets.at(-1)?.slice(-4))
  for (const secret of secrets) expect(text).not.toContain(secret.slice(6, -4))
  // nor does what is stored have one, in any row
  const [row] = await db().select().from(webhooks).where(eq(webhooks.id, one.hook.webhookId))
  const stored = JSON.stringify([row, await db().select().from(webhookDeliveries)])
  for (const secret of secrets) expect(stored).not.toContain(secret.slice(6, -4))
})
