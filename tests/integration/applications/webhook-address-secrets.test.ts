import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { shellContext } from '@/bin/operator'
import { db } from '@/db/client'
import { history, outboxEvents, webhooks } from '@/db/schema'
import * as calls from '@/lib/applications/webhooks/contract'
import { maskedAddress } from '@/lib/base/text/masks'
import { configurationText, importText } from '@/lib/operations/configuration-file/service'
import { listHistory } from '@/lib/operations/history/contract'
import { signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { runJobs } from '../../factories/messages'
import { caseNumbers } from '../../factories/random-cases'
import { startReceiver } from '../../factories/webhook-receiver'
import { createHook, type Hook, happen, hookOf, logOf, messageOf } from '../../factories/webhooks'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const random = caseNumbers(30)
const one = <T>(list: readonly T[]) => list[random(list.length)] as T
const token = () =>
  Buffer.from(Array.from({ length: 9 + random(21) }, () => random(256))).toString(
    one(['hex', 'base64url', 'base64'] as const),
  )
const queryOf = (secrets: readonly string[]) =>
  secrets
    .map((secret, at) => one([`key${at}=`, `a[]=`, '']) + encodeURIComponent(secret))
    .join(one(['&', '&of=users&']))

type Case = { hook: Hook; secrets: string[]; address: string; receiver: Awaited<ReturnType<typeof startReceiver>> }
const cases: Case[] = []
const passphrase = 'a passphrase of the test'
let looking: Caller

/** Receivers that tell what they were asked for, each at an address with tokens that was changed once. */
beforeAll(async () => {
  looking = new Caller((await signedInWith(['applications.read', 'history.read'])).browser)
  for (let at = 0; at < 6; at++) {
    const receiver = await startReceiver(({ path }) => ({
      status: one([200, 404]),
      body: `no route ${path}, ${decodeURIComponent(path)}`,
    }))
    const secrets = Array.from({ length: 2 + random(4) }, token)
    const [before, after] = [secrets.slice(0, 1), secrets.slice(1)]
    const hook = await createHook(`${receiver.url}?${queryOf(before)}`, { types: ['user.updated'] })
    const address = `${receiver.url}?${queryOf(after)}`
    const { name, types } = await hookOf(hook)
    await hook.caller.call(calls.updateWebhook, {
      params: hook.params,
      body: { name, types: types as never, url: address },
    })
    cases.push({ hook, secrets, address, receiver })
  }
  await happen()
  await runJobs()
  for (const { hook } of cases) await hook.caller.call(calls.testWebhook, { params: hook.params })
})

/** Requires that none of the tokens stands in something, in a form in which an address may have it. */
function expectNone(where: unknown, secrets: readonly string[]) {
  const text = typeof where === 'string' ? where : JSON.stringify(where)
  for (const secret of secrets)
    for (const form of [secret, encodeURIComponent(secret), secret.replace(/=+$/, '')])
      expect([form, text.includes(form)]).toEqual([form, false])
}

describe('of an address with tokens', () => {
  test('receivers are asked for the whole', () => {
    for (const { address, receiver } of cases) {
      const { pathname, search } = new URL(address)
      expect(receiver.received.map(({ path }) => path)).toEqual([pathname + search, pathname + search])
    }
  })

  test('its editor sees the whole, and whoever may not change it no value of a parameter', async () => {
    const params = (hook: Hook) => ({ params: hook.params })
    for (const { hook, secrets, address } of cases) {
      expect((await hookOf(hook)).url).toBe(address)
      const { webhook } = await looking.call(calls.readWebhook, params(hook))
      expect(webhook.url).toBe(maskedAddress(address))
      const list = await looking.call(calls.listWebhooks, { params: { id: hook.params.id } })
      expectNone([webhook, list], secrets)
      // also who may change applications, but not this one: its service account holds what they don't hold
      const weak = new Caller((await signedInWith(['applications.read', 'applications.write'])).browser)
      expect((await weak.call(calls.readWebhook, params(hook))).webhook.url).toBe(maskedAddress(address))
      const refused = await weak.send(calls.updateWebhook, {
        ...params(hook),
        body: { name: 'x', types: ['user.updated'], url: 'http://127.0.0.1:1/', updatedAt: '2020-01-01T00:00:00Z' },
      })
      expect(refused.status).toBe(403)
      expectNone(refused, secrets)
    }
  })

  test('the log has none, although receivers tell what they were asked for', async () => {
    for (const { hook, secrets } of cases) {
      const log = await logOf(hook)
      expect(log).toHaveLength(2)
      const messages = await Promise.all(log.map(({ id }) => messageOf(hook, id)))
      expect(messages.map(({ response }) => response?.startsWith('no route /hook?'))).toEqual([true, true])
      expectNone([log, messages], secrets)
    }
  })

  test('history and events have none, and tell that it was changed', async () => {
    for (const { hook, secrets, address } of cases) {
      const stored = await db().select().from(history).where(eq(history.entityId, hook.webhookId))
      const changed = stored.filter(({ field, type }) => field === 'url' && type === 'update')
      expect(changed.map(({ current }) => current)).toEqual([maskedAddress(address)])
      expectNone(stored, secrets)
      expectNone(await looking.call(listHistory, { query: { filter: { search: hook.webhookId } } as never }), secrets)
    }
    const events = await db().select().from(outboxEvents)
    for (const { secrets } of cases) expectNone(events, secrets)
  })

  test('a file has none, with and without secrets, and brings the whole back', async () => {
    const ctx = await shellContext()
    const [text, sealed] = [await configurationText(ctx), await configurationText(ctx, passphrase)]
    const all = cases.flatMap(({ secrets }) => secrets)
    for (const file of [text, sealed]) expectNone(file, all)
    const addresses = async () => (await db().select({ url: webhooks.url }).from(webhooks)).map(({ url }) => url).sort()
    const whole = await addresses()
    // a file without the parameters means the stored ones
    expect((await importText(ctx, { text, prune: true, dry: false })).changes).toEqual([])
    expect(await addresses()).toEqual(whole)

    for (const { hook } of cases)
      await db()
        .update(webhooks)
        .set({ url: `https://elsewhere.example/${hook.webhookId}?key=another-token` })
        .where(eq(webhooks.id, hook.webhookId))
    const restored = await importText(ctx, { text: sealed, passphrase, prune: true, dry: false })
    expect(restored.changes).toHaveLength(cases.length)
    expectNone(restored, [...all, 'another-token'])
    expect(await addresses()).toEqual(whole)
  })

  test('where the parameters aren’t known, a file switches the webhook off and says so, and its second import changes nothing', async () => {
    const ctx = await shellContext()
    const text = await configurationText(ctx)
    await db().update(webhooks).set({ url: 'https://elsewhere.example/hooks?key=another-token' })
    const first = await importText(ctx, { text, prune: true, dry: false })
    expect(first.notes.map(({ code }) => code)).toEqual(cases.map(() => 'addressHidden'))
    expectNone(first, ['another-token'])
    const stored = await db().select().from(webhooks)
    expect(stored.map(({ enabled }) => enabled)).toEqual(cases.map(() => false))
    expect(stored.map(({ url }) => url).sort()).toEqual(cases.map(({ address }) => maskedAddress(address)).sort())
    const again = await configurationText(ctx)
    expect((await importText(ctx, { text: again, prune: true, dry: false })).changes).toEqual([])
  })
})
