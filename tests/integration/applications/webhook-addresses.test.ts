import type { LookupAddress } from 'node:dns'
import { afterEach, expect, test, vi } from 'vitest'
import * as calls from '@/lib/applications/webhooks/contract'
import { env } from '@/lib/base/runtime/env'
import { runJobs } from '../../factories/messages'
import { startReceiver } from '../../factories/webhook-receiver'
import { createHook, happen, later, logOf } from '../../factories/webhooks'
import { useTestDatabase } from '../../setup/database'

const answers = vi.hoisted(() => ({ of: [] as string[] }))
vi.mock('node:dns', async (original) => {
  const dns = await original<typeof import('node:dns')>()
  const lookup = ((host: string, options: object, done: (error: Error | null, addresses: LookupAddress[]) => void) =>
    host === 'receiver.example'
      ? done(
          null,
          answers.of.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        )
      : dns.lookup(host, options, done as never)) as unknown as typeof dns.lookup
  return { ...dns, default: { ...dns, lookup }, lookup }
})

useTestDatabase()
const mode = 'test'
afterEach(() => {
  env().PLATFORM_MODE = mode
})
const privates = [
  '127.0.0.1',
  '10.0.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '::1',
  '::ffff:10.0.0.1',
  'fd00::1',
  '0.0.0.0',
]

test('a receiver that moves to a private address is sent nothing, and gets it when it has moved back', async () => {
  const receiver = await startReceiver()
  const hook = await createHook(receiver.url.replace('127.0.0.1', 'receiver.example'))
  answers.of = ['127.0.0.1']
  await happen()
  await runJobs()
  expect(receiver.received).toHaveLength(1)
  env().PLATFORM_MODE = 'production'
  await happen()
  for (const address of privates) {
    answers.of = [address]
    await later()
    expect((await logOf(hook, { filter: { type: ['user.updated'] } }))[0], address).toMatchObject({
      status: 'wait',
      httpStatus: null,
      fault: 'webhookAddress',
    })
    const { fault } = await hook.caller.call(calls.testWebhook, { params: hook.params })
    expect([address, fault]).toEqual([address, 'webhookAddress'])
  }
  expect(receiver.received).toHaveLength(1)
  env().PLATFORM_MODE = mode
  answers.of = ['127.0.0.1']
  await later()
  expect(receiver.received).toHaveLength(2)
})

test('in production an address begins with https, and one that is written as a number is refused too', async () => {
  const hook = await createHook('http://127.0.0.1:1/')
  const put = (url: string) =>
    hook.caller.send(calls.updateWebhook, {
      params: hook.params,
      body: { name: 'Склад', types: ['user.created'] as never, url },
    })
  env().PLATFORM_MODE = 'production'
  const refused = (code: string) => ({ status: 400, body: { data: { errorList: [{ field: 'url', code }] } } })
  expect(await put('http://receiver.example/')).toMatchObject(refused('errorWebhookHttps'))
  for (const url of ['https://2130706433/', 'https://[::1]/', 'https://0x7f.1/']) {
    expect((await put(url)).status).toBe(200)
    const { fault } = await hook.caller.call(calls.testWebhook, { params: hook.params })
    expect([url, fault]).toEqual([url, 'webhookAddress'])
  }
  for (const url of [
    'ftp://a.example/',
    'https://a:b@c.example/',
    'https://a.example/#x',
    'https://a.example\\@b/',
    'x',
  ])
    expect(await put(url), url).toMatchObject(refused('errorWebhookAddress'))
})
