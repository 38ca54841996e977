import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, notices, outboxDeliveries, webhookDeliveries, webhookStates, webhooks } from '@/db/schema'
import { enableApplication } from '@/lib/applications/applications/contract'
import * as calls from '@/lib/applications/webhooks/contract'
import { tidyWebhooks } from '@/lib/applications/webhooks/replay'
import { webhookMessages, webhookTypes } from '@/lib/applications/webhooks/types'
import { listUndelivered } from '@/lib/operations/undelivered-events/contract'
import { signedInWith } from '../../factories/access'
import { runJobs } from '../../factories/messages'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'
import { holdMethods } from '../../factories/service-accounts'
import { setSetting } from '../../factories/settings'
import { createUser } from '../../factories/users'
import { startReceiver } from '../../factories/webhook-receiver'
import { createHook, failedBefore, type Hook, happen, hookOf, later, logOf, messageOf } from '../../factories/webhooks'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
// a webhook of one test hears nothing of the next one
afterEach(() => db().delete(webhooks))

const openOf = ({ webhookId }: Hook) =>
  db().$count(
    outboxDeliveries,
    and(eq(outboxDeliveries.handler, `webhook:${webhookId}`), sql`${outboxDeliveries.state} in ('waiting', 'dead')`),
  )
const rowOf = async ({ webhookId }: Hook) => (await db().select().from(webhooks).where(eq(webhooks.id, webhookId)))[0]
const body = (hook: { name?: string; url: string; types?: string[] }) => ({
  name: 'Склад',
  types: ['user.created'] as never,
  ...hook,
})

describe('a message', () => {
  test('is signed by Standard Webhooks, and has the object and the names of its fields alone', async () => {
    const receiver = await startReceiver()
    const hook = await createHook(receiver.url)
    const date = new Date('2026-11-25T10:00:00.123Z')
    const changes = { lastName: { previous: 'Ковалёва', current: 'Петрова' }, 'field:passport': { current: '4509 1' } }
    const id = await happen({ date, changes })
    await runJobs()
    const [message] = receiver.received
    expect(new Webhook(hook.secret).verify(message?.body ?? '', message?.headers as Record<string, string>)).toEqual({
      type: 'user.updated',
      timestamp: date.toISOString(),
      data: { id, entity: 'users', changedFields: ['lastName', 'field:passport'] },
    })
    expect(message?.headers['content-type']).toContain('application/json')
    const [logged] = await logOf(hook)
    expect(logged).toMatchObject({ status: 'success', attempts: 1, httpStatus: 204, fault: null, nextAt: null })
    expect(logged?.messageId).toBe(message?.headers['webhook-id'])
    const forged = { ...(message?.headers as Record<string, string>), 'webhook-id': 'msg_other' }
    expect(() => new Webhook(hook.secret).verify(message?.body ?? '', forged)).toThrow('No matching signature')
  })

  test('is signed with both secrets for 24 hours after a rotation, and with the new one alone afterwards', async () => {
    const receiver = await startReceiver()
    const hook = await createHook(receiver.url)
    const { caller, params } = hook
    const { secret } = await caller.call(calls.rotateWebhookSecret, { params, body: {} })
    const newest = () => receiver.received.at(-1)
    const isSignedBy = (by: string) => {
      const { body: text = '', headers } = newest() ?? { headers: {} }
      try {
        new Webhook(by).verify(text, headers as Record<string, string>)
        return true
      } catch {
        return false
      }
    }
    const signs = async () => {
      await happen()
      await runJobs()
      return [isSignedBy(hook.secret), isSignedBy(secret)]
    }
    expect(await signs()).toEqual([true, true])
    const [, previous] = (await hookOf(hook)).secrets
    const hours = (Date.parse(previous?.until ?? '') - Date.now()) / 3_600_000
    expect([hours > 23.9, hours <= 24]).toEqual([true, true])
    await db().execute(
      sql`update webhooks set secrets = jsonb_set(secrets, '{1,expiresAt}', '"2020-01-01T00:00:00.000Z"')`,
    )
    expect(await signs()).toEqual([false, true])
    expect((await hookOf(hook)).secrets).toMatchObject([{ tail: secret.slice(-4), until: null }])
    // a third rotation keeps the one before it alone
    await caller.call(calls.rotateWebhookSecret, { params, body: {} })
    expect(await signs()).toEqual([false, true])
    await caller.call(calls.endPreviousWebhookSecret, { params })
    expect(await signs()).toEqual([false, false])
  })

  test('never has a value of a person, whatever changes', async () => {
    const receiver = await startReceiver()
    const hook = await createHook(receiver.url)
    const random = caseNumbers(26)
    const secrets: string[] = []
    const value = (): unknown => {
      const text = `персона-${randomUUID()}`
      secrets.push(text)
      return [text, [text], { 'name of a member': text }, { deep: [{ text }] }][random(4)]
    }
    const names = ['lastName', 'email', 'mobile', 'login', 'field:passport', 'values', 'roles', 'comment']
    let events = 0
    for (const _ of eachRound(60)) {
      events++
      const chosen = names.filter(() => random(3) === 0)
      const sides = () => (random(2) ? { previous: value(), current: value() } : { current: value() })
      const type = (['create', 'update', 'delete'] as const)[random(3)] ?? 'update'
      await happen({ type, changes: Object.fromEntries(chosen.map((name) => [name, sides()])) })
    }
    await runJobs()
    expect(receiver.received).toHaveLength(events)
    const sent = JSON.stringify(receiver.received)
    expect(secrets.length).toBeGreaterThan(shareOf(60))
    expect(secrets.filter((text) => sent.includes(text))).toEqual([])
    for (const message of receiver.messages()) webhookMessages.get(message.type)?.parse(message)
    expect(await logOf(hook)).not.toHaveLength(0)
  })

  test('of a real change of an account has no value either', async () => {
    const receiver = await startReceiver()
    await createHook(receiver.url)
    const user = await createUser()
    await signedInWith(['users.read'])
    await runJobs()
    const sent = JSON.stringify(receiver.received)
    for (const text of [user.login, user.email ?? user.login]) expect(sent).not.toContain(text)
  })
})

describe('a receiver', () => {
  test('that fails is asked again when the log says', async () => {
    const receiver = await startReceiver(() => 503)
    const hook = await createHook(receiver.url)
    // waits are random: each is a tenth longer or shorter
    for (let failure = 1; failure <= 5; failure++) {
      await (failure === 1 ? happen() : later())
      await runJobs()
      const [logged] = await logOf(hook)
      const [delivery] = await db()
        .select()
        .from(outboxDeliveries)
        .where(eq(outboxDeliveries.handler, `webhook:${hook.webhookId}`))
      const { heldUntil = null } =
        (await db().select().from(webhookStates).where(eq(webhookStates.webhookId, hook.webhookId)))[0] ?? {}
      const next = Math.max(delivery?.tryAt.getTime() ?? 0, heldUntil?.getTime() ?? 0)
      expect(logged).toMatchObject({ attempts: failure, nextAt: new Date(next).toISOString() })
    }
  })
  test('that is down for a day gets everything later, each object in its order and each message with its id', async () => {
    let down = true
    const receiver = await startReceiver(() => (down ? 503 : 200))
    const hook = await createHook(receiver.url)
    const objects = [randomUUID(), randomUUID(), randomUUID()]
    const changed = async (n: number) => {
      for (const id of objects) await happen({ id, changes: { [`f${n}`]: { current: n } } })
    }
    await changed(0)
    for (let round = 1; round <= 6; round++) {
      await changed(round)
      await later()
    }
    await failedBefore(24)
    expect(await hookOf(hook)).toMatchObject({ enabled: true, waiting: 21 })
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
    // only the first one of each object was tried
    expect(ids.size).toBe(3)
    const [waiting] = await logOf(hook)
    expect(waiting).toMatchObject({ status: 'wait', httpStatus: 503, fault: 'webhookAnswer' })
    expect(Date.parse(waiting?.nextAt ?? '')).toBeGreaterThan(Date.now())
    down = false
    receiver.received.length = 0
    await later()
    await later()
    const got = receiver.messages()
    expect(got).toHaveLength(21)
    for (const id of objects)
      expect(got.filter(({ data }) => data.id === id).map(({ data }) => data.changedFields[0])).toEqual(
        [0, 1, 2, 3, 4, 5, 6].map((n) => `f${n}`),
      )
    expect([...ids].every((id) => receiver.received.some(({ headers }) => headers['webhook-id'] === id))).toBe(true)
    expect(await hookOf(hook)).toMatchObject({ failingSince: null, waiting: 0 })
  })

  test('that never takes a message is disabled after 16 tries; whoever may change applications is told', async () => {
    const receiver = await startReceiver(() => 500)
    const hook = await createHook(receiver.url)
    const { user: editor } = await signedInWith(['applications.write'])
    const { user: stranger } = await signedInWith(['users.write'])
    receiver.received.length = 0
    await db().delete(outboxDeliveries)
    const id = await happen()
    await happen({ id })
    let tries = 0
    while ((await hookOf(hook)).enabled && tries++ < 30) await later()
    expect(receiver.received).toHaveLength(16)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(await hookOf(hook)).toMatchObject({ enabled: false, disabledReason: 'failed', waiting: 0 })
    expect(await logOf(hook)).toMatchObject([{ status: 'failure', attempts: 16, nextAt: null }])
    await runJobs()
    const editorNotices = await db().select().from(notices).where(eq(notices.kind, 'webhookDisabled'))
    expect(editorNotices.map(({ userId }) => userId)).toContain(editor.id)
    expect(editorNotices.map(({ userId }) => userId)).not.toContain(stranger.id)
    expect(editorNotices.find(({ userId }) => userId === editor.id)?.values).toMatchObject({
      webhook: 'Склад',
      reason: 'failed',
    })
    const [recorded] = await db()
      .select()
      .from(history)
      .where(and(eq(history.entityId, hook.webhookId), eq(history.type, 'update')))
    expect(recorded).toMatchObject({ field: 'enabled', current: false, changerId: null })
    // what was set aside isn't an undelivered event of the platform
    const { events } = await hook.caller.call(listUndelivered, { query: {} as never })
    expect(events.filter(({ handler }) => handler.startsWith('webhook'))).toEqual([])
    // a disabled one keeps nothing
    await happen({ id })
    expect(await openOf(hook)).toBe(0)
  })

  test('that only fails is disabled after a day and a half, however many objects wait', async () => {
    const receiver = await startReceiver(() => 'hang up')
    const hook = await createHook(receiver.url)
    for (let at = 0; at < 20; at++) await happen()
    await later()
    expect(await hookOf(hook)).toMatchObject({ enabled: true })
    await failedBefore(35)
    await later()
    expect(await hookOf(hook)).toMatchObject({ enabled: true })
    await failedBefore(2)
    await later()
    expect(await hookOf(hook)).toMatchObject({ enabled: false, disabledReason: 'failed', waiting: 0 })
  })

  test('that answers 410 is disabled at once', async () => {
    const receiver = await startReceiver(() => 410)
    const hook = await createHook(receiver.url)
    const id = await happen()
    await happen({ id })
    await happen()
    await runJobs()
    expect(await hookOf(hook)).toMatchObject({ enabled: false, disabledReason: 'gone', waiting: 0 })
    expect((await logOf(hook)).every(({ status }) => status === 'failure')).toBe(true)
    expect(receiver.received.length).toBeLessThanOrEqual(2)
  })

  test('that redirects isn’t followed', async () => {
    const elsewhere = await startReceiver()
    const receiver = await startReceiver(() => ({ status: 307, headers: { location: elsewhere.url } }))
    const hook = await createHook(receiver.url)
    await happen()
    await runJobs()
    expect(elsewhere.received).toEqual([])
    expect(await logOf(hook)).toMatchObject([{ status: 'wait', httpStatus: 307, fault: 'webhookRedirect' }])
  })

  test('that is slow is let go after its time, and holds back no other webhook', async () => {
    const [slow, quick] = [await startReceiver(() => 'never'), await startReceiver()]
    const hook = await createHook(slow.url)
    const other = await createHook(quick.url)
    const { timeout } = AbortSignal
    AbortSignal.timeout = (ms) => timeout(ms === 15_000 ? 500 : ms)
    try {
      for (let at = 0; at < 10; at++) await happen()
      await runJobs()
    } finally {
      AbortSignal.timeout = timeout
    }
    expect(quick.received).toHaveLength(10)
    expect(await openOf(other)).toBe(0)
    // after three failures in a row it is left alone for a while
    expect(slow.received.length).toBeLessThan(10)
    expect((await logOf(hook))[0]).toMatchObject({ status: 'wait', fault: 'webhookTimeout', httpStatus: null })
    expect(await openOf(hook)).toBe(10)
  })

  test('that answers without end is taken by its status, and the log keeps a beginning', async () => {
    const receiver = await startReceiver((_, count) => ({
      status: 200,
      body: count === 1 ? 'много '.repeat(100_000) : `ok\0${'x'.repeat(9_000)}`,
    }))
    const hook = await createHook(receiver.url)
    await happen()
    await runJobs()
    await happen()
    await runJobs()
    const [second, first] = await Promise.all((await logOf(hook)).map(({ id }) => messageOf(hook, id)))
    expect([first?.status, first?.response]).toEqual(['success', '…'])
    expect([second?.status, second?.response?.length]).toEqual(['success', 4_000])
  })
})

describe('an application', () => {
  test('hears only what its service account may read, at saving', async () => {
    const hook = await createHook('http://127.0.0.1:1/', { methods: ['users.read'] })
    const { caller, params } = hook
    const before = await rowOf(hook)
    for (const type of webhookTypes) {
      const mayHearType = type.startsWith('user.')
      const answered = await caller.send(calls.updateWebhook, {
        params,
        body: body({ url: 'http://127.0.0.1:1/', types: [type] }),
      })
      expect([type, answered.status], type).toEqual([type, mayHearType ? 200 : 400])
      const errorList = [{ field: 'types', code: 'errorWebhookType' }]
      if (!mayHearType) expect(answered.body).toMatchObject({ data: { errorList } })
    }
    expect((await rowOf(hook))?.types).toEqual(['user.deleted'])
    expect(before?.types).toHaveLength(3)
    // a method to write is one to read
    await holdMethods(params.id, ['roles.write'])
    const { types } = await caller.call(calls.listWebhooks, { params: { id: params.id } })
    expect(types.filter(({ allowed }) => allowed).map(({ type }) => type)).toEqual([
      'role.created',
      'role.updated',
      'role.deleted',
    ])
  })

  test('that loses a method gets nothing that needs it, also of what waits, and the log says why', async () => {
    let down = true
    const receiver = await startReceiver(() => (down ? 500 : 200))
    const hook = await createHook(receiver.url, { types: ['user.updated', 'role.updated'] })
    const [user, role] = [await happen(), await happen({ entity: 'roles' })]
    await runJobs()
    receiver.received.length = 0
    await holdMethods(hook.params.id, ['roles.read'])
    down = false
    await happen({ id: user })
    await happen({ entity: 'roles', id: role })
    await later()
    expect(receiver.messages().map(({ type }) => type)).toEqual(['role.updated', 'role.updated'])
    expect(await logOf(hook, { filter: { type: ['user.updated'] } })).toMatchObject([
      { status: 'dropped', fault: 'webhookForbidden' },
      { status: 'dropped', fault: 'webhookForbidden' },
    ])
    expect(await hookOf(hook)).toMatchObject({ forbiddenTypes: ['user.updated'], waiting: 0 })
  })

  test('that is disabled gets nothing', async () => {
    const receiver = await startReceiver()
    const hook = await createHook(receiver.url)
    const before = await happen()
    await hook.caller.call(enableApplication, { params: { id: hook.params.id }, body: { enabled: false } })
    await happen({ id: before })
    await runJobs()
    expect(receiver.received).toEqual([])
    expect(await logOf(hook)).toMatchObject([{ status: 'dropped', fault: 'webhookApplicationOff' }])
  })

  test('is told of another application’s webhook that there is none', async () => {
    const [one, other] = [await createHook('http://127.0.0.1:1/'), await createHook('http://127.0.0.1:1/')]
    const params = { id: one.params.id, webhookId: other.webhookId }
    for (const call of [calls.readWebhook, calls.deleteWebhook, calls.testWebhook, calls.listWebhookDeliveries])
      expect((await one.caller.send(call as typeof calls.readWebhook, { params })).status).toBe(404)
    expect(await rowOf(other)).toBeDefined()
  })
})

test('secrets are stored sealed, shown once, and *** in the history', async () => {
  const hook = await createHook('http://127.0.0.1:1/')
  const { secret } = await hook.caller.call(calls.rotateWebhookSecret, { params: hook.params, body: {} })
  const stored = JSON.stringify(await db().select().from(webhooks))
  const shownTexts = JSON.stringify([
    await hook.caller.call(calls.listWebhooks, { params: { id: hook.params.id } }),
    await hookOf(hook),
  ])
  const recorded = await db().select().from(history).where(eq(history.entityId, hook.webhookId))
  for (const each of [hook.secret, secret])
    for (const text of [stored, shownTexts, JSON.stringify(recorded)]) expect(text).not.toContain(each.slice(6))
  expect(recorded.filter(({ field }) => field === 'secret')).toMatchObject([
    { current: '***' },
    { previous: '***', current: '***' },
  ])
})

test('the log is kept for integrationLogRetention days', async () => {
  await setSetting('integrationLogRetention', 20)
  const receiver = await startReceiver()
  const hook = await createHook(receiver.url)
  await happen()
  await runJobs()
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
  await tidyWebhooks(inDays(19.9))
  expect(await db().$count(webhookDeliveries, eq(webhookDeliveries.webhookId, hook.webhookId))).toBe(1)
  await tidyWebhooks(inDays(20.1))
  expect(await db().$count(webhookDeliveries, eq(webhookDeliveries.webhookId, hook.webhookId))).toBe(0)
})
