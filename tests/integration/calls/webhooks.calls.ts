import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { outboxEvents, webhooks } from '@/db/schema'
import * as calls from '@/lib/applications/webhooks/contract'
import { env } from '@/lib/base/runtime/env'
import { signedInWith } from '../../factories/access'
import { type MadeApplication, refusals } from '../../factories/administered-applications'
import { Caller } from '../../factories/caller'
import { runJobs } from '../../factories/messages'
import { proof } from '../../factories/proofs'
import { startReceiver } from '../../factories/webhook-receiver'
import { happen, listeningApplication } from '../../factories/webhooks'

const types: ['application.updated'] = ['application.updated']
const body = (more: object = {}) => ({
  name: 'Склад',
  url: 'https://receiver.example/hook?of=warehouse',
  types,
  ...more,
})
const listening = () => listeningApplication(['applications.read'])
const administrator = async () => new Caller((await signedInWith(['applications.write', 'applications.read'])).browser)

/** A webhook of an application whose service account holds no more than the caller of a proof. */
async function hooked(of?: MadeApplication, url = 'http://127.0.0.1:1/') {
  const application = of ?? (await listening())
  const caller = await administrator()
  const params = { id: application.id }
  const { id: webhookId } = await caller.call(calls.createWebhook, { params, body: body({ url }) })
  return { caller, params: { ...params, webhookId } }
}
type Hooked = Awaited<ReturnType<typeof hooked>>

/** Jobs that other proofs left wait for others. */
const ofWebhooks = (task: string) => task === 'event:webhook' || task === 'webhookReplay'

/** Other webhooks hear nothing of what follows, and no more of what was before. */
async function alone() {
  await db().update(webhooks).set({ enabled: false })
  await db().execute(sql`delete from graphile_worker._private_jobs where task_id in
    (select id from graphile_worker._private_tasks where identifier in ('event:webhook', 'webhookReplay'))`)
}

/** One whose receiver is on this machine, with a message in its log. */
async function delivered() {
  await alone()
  const receiver = await startReceiver()
  const made = await hooked(undefined, receiver.url)
  await happen({ entity: 'applications' })
  await runJobs(ofWebhooks)
  const { deliveries } = await made.caller.call(calls.listWebhookDeliveries, {
    params: made.params,
    query: {} as never,
  })
  return { ...made, receiver, params: { ...made.params, deliveryId: deliveries[0]?.id ?? '' } }
}
const read = async (caller: Caller, { params: { id, webhookId } }: Hooked) =>
  (await caller.call(calls.listWebhooks, { params: { id } })).webhooks.find((each) => each.id === webhookId) ?? null

/** The refusals of a call on a webhook, which is inserted past them. */
const refused = (more: object = {}) =>
  refusals(async ({ id }) => {
    const { caller: _, params } = await hooked()
    await db().update(webhooks).set({ applicationId: id }).where(eq(webhooks.id, params.webhookId))
    return { params: { ...params, id }, ...more }
  })
const off = ({ params }: Hooked) =>
  db().update(webhooks).set({ enabled: false }).where(eq(webhooks.id, params.webhookId))
const inProduction = async <T>(work: () => Promise<T>): Promise<T> => {
  const { PLATFORM_MODE } = env()
  env().PLATFORM_MODE = 'production'
  try {
    return await work()
  } finally {
    env().PLATFORM_MODE = PLATFORM_MODE
  }
}
const faults = (input: (values: object) => Promise<object>) => ({
  errorWebhookAddress: { field: 'url', input: async () => (await input({ url: 'ftp://receiver.example/' })) as never },
  errorWebhookHttps: {
    field: 'url',
    within: inProduction,
    input: async () => (await input({ url: 'http://receiver.example/' })) as never,
  },
  errorWebhookType: { field: 'types', input: async () => (await input({ types: ['user.created'] })) as never },
})
const asked = (call: typeof calls.testWebhook | typeof calls.replayWebhook, more: object) => ({
  by: async () => {
    const eager = await administrator()
    const { params } = await hooked(undefined, 'http://127.0.0.1:1/')
    for (let at = 0; at < 60; at++) await eager.send(call, { params, ...more })
    return eager
  },
  input: async () => ({ params: (await hooked()).params, ...more }) as never,
})
const span = () => ({
  from: new Date(Date.now() - 3_600_000).toISOString(),
  to: new Date(Date.now() + 3_600_000).toISOString(),
})
const backwards = () => ({ from: span().to, to: span().from })

export default [
  proof(calls.listWebhooks, {
    prepare: () => hooked(),
    input: ({ params: { id } }) => ({ params: { id } }),
    shows: ({ params }) => ({
      webhooks: [{ id: params.webhookId, name: 'Склад', types, enabled: true, waiting: 0, forbiddenTypes: [] }],
    }),
  }),
  proof(calls.createWebhook, {
    makes: ['create webhooks'],
    prepare: listening,
    input: ({ id }) => ({ params: { id }, body: body() }),
    look: async (caller, { id }) => (await caller.call(calls.listWebhooks, { params: { id } })).webhooks,
    shows: (_, { id, secret }) => [
      { id, url: body().url, types, secrets: [{ tail: secret.slice(-4), until: null }], disabledReason: null },
    ],
    errors: {
      ...refusals(({ id }) => ({ params: { id }, body: body() })),
      ...faults(async (values) => ({ params: { id: (await listening()).id }, body: body(values) })),
      webhookTooMany: {
        input: async () => {
          const application = await listening()
          for (let at = 0; at < calls.mostWebhooks; at++) await hooked(application)
          return { params: { id: application.id }, body: body() }
        },
      },
    },
  }),
  proof(calls.readWebhook, {
    prepare: () => hooked(),
    input: ({ params }) => ({ params }),
    shows: ({ params }) => ({ webhook: { id: params.webhookId, name: 'Склад', types, enabled: true } }),
  }),
  proof(calls.updateWebhook, {
    makes: ['update webhooks'],
    prepare: () => hooked(),
    input: ({ params }) => ({ params, body: body({ name: 'Другой' }) }),
    look: read,
    shows: () => ({ name: 'Другой', url: body().url }),
    errors: {
      ...refused({ body: body() }),
      ...faults(async (values) => ({ params: (await hooked()).params, body: body(values) })),
    },
  }),
  proof(calls.deleteWebhook, {
    makes: ['delete webhooks'],
    prepare: () => hooked(),
    input: ({ params }) => ({ params }),
    look: async (caller, made) => ({ there: (await read(caller, made)) !== null }),
    shows: () => ({ there: false }),
    errors: refused(),
  }),
  proof(calls.enableWebhook, {
    makes: ['update webhooks'],
    prepare: () => hooked(),
    input: ({ params }) => ({ params, body: { enabled: false } }),
    look: read,
    shows: () => ({ enabled: false, disabledReason: null }),
    errors: refused({ body: { enabled: false } }),
  }),
  proof(calls.rotateWebhookSecret, {
    makes: ['update webhooks'],
    prepare: () => hooked(),
    input: ({ params }) => ({ params, body: {} }),
    look: read,
    shows: (_, { secret }) => ({ secrets: [{ tail: secret.slice(-4), until: null }, { until: expect.any(String) }] }),
    errors: refused({ body: {} }),
  }),
  proof(calls.endPreviousWebhookSecret, {
    makes: ['update webhooks'],
    prepare: async () => {
      const made = await hooked()
      await made.caller.call(calls.rotateWebhookSecret, { params: made.params, body: {} })
      return made
    },
    input: ({ params }) => ({ params }),
    look: async (caller, made) => ({ count: (await read(caller, made))?.secrets.length }),
    shows: () => ({ count: 1 }),
    errors: refused(),
  }),
  proof(calls.testWebhook, {
    unrecorded: 'it changes nothing; the log has the message',
    prepare: async () => {
      const receiver = await startReceiver()
      return { ...(await hooked(undefined, receiver.url)), receiver }
    },
    input: ({ params }) => ({ params }),
    look: async (caller, { params }) =>
      (await caller.call(calls.listWebhookDeliveries, { params, query: {} as never })).deliveries,
    shows: (_, { id }) => [{ id, type: 'webhook.test', status: 'success', httpStatus: 204, replayable: false }],
    errors: { ...refused(), tooManyAttempts: asked(calls.testWebhook, {}) },
  }),
  proof(calls.listWebhookDeliveries, {
    prepare: delivered,
    input: ({ params: { id, webhookId } }) => ({ params: { id, webhookId }, query: {} }),
    shows: ({ params }) => ({
      deliveries: [{ id: params.deliveryId, type: types[0], status: 'success', attempts: 1, replayable: true }],
      meta: { total: 1 },
    }),
  }),
  proof(calls.readWebhookDelivery, {
    prepare: delivered,
    input: ({ params }) => ({ params }),
    shows: ({ params, receiver }) => ({
      delivery: { id: params.deliveryId, status: 'success', request: receiver.received[0]?.body, response: '' },
    }),
  }),
  proof(calls.replayWebhookDelivery, {
    unrecorded: 'the log has what is sent',
    prepare: delivered,
    input: ({ params }) => ({ params }),
    look: async (caller, { params: { id, webhookId } }) =>
      (await caller.call(calls.listWebhookDeliveries, { params: { id, webhookId }, query: {} as never })).deliveries,
    shows: ({ params }) => [{ id: params.deliveryId, status: 'wait', attempts: 0 }],
    errors: {
      ...refusals(async ({ id }) => {
        const { params } = await delivered()
        await db().update(webhooks).set({ applicationId: id }).where(eq(webhooks.id, params.webhookId))
        return { params: { ...params, id } }
      }),
      webhookDisabled: {
        input: async () => {
          const made = await delivered()
          await off(made)
          return { params: made.params }
        },
      },
      webhookWaiting: {
        input: async () => {
          const { caller, params } = await delivered()
          await caller.call(calls.replayWebhookDelivery, { params })
          return { params }
        },
      },
      webhookEventGone: {
        input: async () => {
          const { params } = await delivered()
          await db().delete(outboxEvents).where(eq(outboxEvents.entity, 'applications'))
          return { params }
        },
      },
    },
  }),
  proof(calls.replayWebhook, {
    unrecorded: 'the log has what is sent',
    prepare: async () => {
      await alone()
      const made = await hooked(undefined, (await startReceiver()).url)
      await made.caller.call(calls.enableWebhook, { params: made.params, body: { enabled: false } })
      await happen({ entity: 'applications' })
      await made.caller.call(calls.enableWebhook, { params: made.params, body: { enabled: true } })
      return made
    },
    input: ({ params }) => ({ params, body: span() }),
    look: async (caller, { params }) => {
      await runJobs(ofWebhooks)
      await runJobs(ofWebhooks)
      const { deliveries } = await caller.call(calls.listWebhookDeliveries, { params, query: {} as never })
      return { sent: deliveries.some(({ status }) => status === 'success') }
    },
    shows: () => ({ sent: true }),
    errors: {
      ...refused({ body: span() }),
      errorWebhookSpan: { field: 'to', input: async () => ({ params: (await hooked()).params, body: backwards() }) },
      webhookDisabled: {
        input: async () => {
          const made = await hooked()
          await off(made)
          return { params: made.params, body: span() }
        },
      },
      tooManyAttempts: asked(calls.replayWebhook, { body: span() }),
    },
  }),
]
