import { eq } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { db } from '@/db/client'
import { sessions, users } from '@/db/schema'
import { emit } from '@/lib/base/events/events'
import { composeHandlers, deliverySubscriptions, onDelivered, onEvent } from '@/lib/base/events/handlers'
import { log } from '@/lib/base/runtime/log'
import { domainByHost } from '@/lib/site/domains/service'
import { compose } from '@/lib/wiring/compose'
import { Browser } from '../../factories/browser'
import { createContext } from '../../factories/context'
import { inOtherProcess } from '../../factories/other-process'
import { signedInStatus, signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { startWorker } from '../../factories/worker-process'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

/** A signed-in person, and the state of their session and account. */
async function signedIn() {
  const browser = new Browser()
  const { id, login } = await createUser({ roles: [] })
  await signInByPassword(browser, login, password)
  const state = async () => {
    const [session] = await db().select().from(sessions).where(eq(sessions.userId, id))
    const [user] = await db().select().from(users).where(eq(users.id, id))
    return { enabled: user?.enabled, ended: session?.endReason ?? null }
  }
  expect(await state()).toEqual({ enabled: true, ended: null })
  return { id, browser, state }
}
const endedState = { enabled: false, ended: 'disabled' }

/** The code of a process that loads only the verb and makes a context by hand. */
const disabling = async (userId: string) => `
  const { setUserEnabled } = await load('lib/accounts/users/enable.ts')
  const ctx = {
    requestId: 'other', ip: '', userAgent: '', domain: ${JSON.stringify(await domainByHost(''))}, locale: 'ru',
    deviceType: 'desktop', session: null, user: null, cookies: { get() {}, set() {} }, now: () => new Date(),
    service: { applicationId: ${JSON.stringify(userId)}, clientId: '', methods: new Set(['users.write']), methodIds: new Set() },
  }
  const disable = () => setUserEnabled(ctx, { userId: ${JSON.stringify(userId)}, enabled: false })
`

// starting a process takes seconds
describe('disabling a person signs them out in every kind of process', { timeout: 60_000 }, () => {
  test('a command', async () => {
    const { id, browser, state } = await signedIn()
    await inOtherProcess(`
      const { runCommand, shellContext } = await load('bin/operator.ts')
      const { setUserEnabled } = await load('lib/accounts/users/enable.ts')
      await runCommand(async () => {
        await setUserEnabled(await shellContext(), { userId: ${JSON.stringify(id)}, enabled: false })
      })`)
    expect(await state()).toEqual(endedState)
    expect(await signedInStatus(browser)).toBe(401)
  })

  test('a request', async () => {
    const { id, browser, state } = await signedIn()
    const administrator = new Browser()
    await signInByPassword(administrator, (await createUser({ roles: ['administrator'] })).login, password)
    const cookie = [...administrator.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const status = await inOtherProcess(`
      const { route } = await load('lib/request/route.ts')
      const { contract, Done } = await load('lib/base/contracts/contract.ts')
      const { setUserEnabled } = await load('lib/accounts/users/enable.ts')
      const disable = contract({ name: 'disable', method: 'POST', path: '/test', summary: '', tag: 'test',
        access: { area: 'users' }, response: Done, snackbar: 'test' })
      const handler = route(disable, async (ctx) => {
        await setUserEnabled(ctx, { userId: ${JSON.stringify(id)}, enabled: false })
        return {}
      })
      const headers = { host: 'localhost:3000', 'sec-fetch-site': 'same-origin', 'x-platform-ip': '203.0.113.9',
        cookie: ${JSON.stringify(cookie)}, 'user-agent': ${JSON.stringify(administrator.userAgent)} }
      const request = new Request('http://localhost:3000/', { method: 'POST', headers })
      return (await handler(request, { params: Promise.resolve({}) })).status`)
    expect(status).toBe(200)
    expect(await state()).toEqual(endedState)
    expect(await signedInStatus(browser)).toBe(401)
  })

  test('a job', async () => {
    const { id, browser, state } = await signedIn()
    const worker = await startWorker(`
      ${await disabling(id)}
      return { ...allTasks(), disable }`)
    await db().execute(`select graphile_worker.add_job('disable')`)
    await expect.poll(state, { timeout: 20_000 }).toEqual(endedState)
    expect(await signedInStatus(browser)).toBe(401)
    await worker.end('SIGTERM')
  })

  test('a process that registers no handlers can’t do it at all, and says why', async () => {
    const { id, browser, state } = await signedIn()
    const refusal = await inOtherProcess(`
      ${await disabling(id)}
      return disable().then(() => 'done', ({ name, message }) => name + ': ' + message)`)
    expect(refusal).toMatch(/^NotComposedError: .*compose\(\) of lib\/wiring\/compose/)
    expect(await state()).toEqual({ enabled: true, ended: null })
    expect(await signedInStatus(browser)).toBe(200)
  })
})

describe('the handlers of events', () => {
  test('are registered once, however often a process composes', () => {
    onDelivered('test-things', 'kept', async () => {})
    compose()
    expect(deliverySubscriptions()).toContainEqual({ handler: 'kept', topic: 'test-things' })
    expect(() => onDelivered('test-things', 'kept', async () => {})).toThrow('listens to test-things already')
    expect(() => onDelivered('test-things', 'No Name', async () => {})).toThrow('is no name of a handler')
  })

  test('stay unchanged when a composition fails', () => {
    const before = deliverySubscriptions()
    const broken = () =>
      composeHandlers(() => {
        onEvent('userDisabled', async () => undefined)
        throw new Error('broken off')
      })
    expect(broken).toThrow('broken off')
    expect(deliverySubscriptions()).toEqual(before)
  })
})

// must be last: from here on this process gets no more events
test('undo the cause if they fail in its transaction; after the commit a failing one affects nothing else', async () => {
  const done: string[] = []
  let refuse = true
  composeHandlers(() => {
    onEvent('userDisabled', async () => async () => {
      throw new Error('not now')
    })
    onEvent('userDisabled', async () => {
      if (refuse) throw new Error('refused')
      return async () => void done.push('after')
    })
  })
  const { id } = await createUser()
  const ctx = await createContext()
  const disable = () =>
    db().transaction(async (tx) => {
      await tx.update(users).set({ enabled: false }).where(eq(users.id, id))
      return emit(tx, ctx, 'userDisabled', { userId: id })
    })
  const enabled = async () => (await db().select().from(users).where(eq(users.id, id)))[0]?.enabled
  await expect(disable()).rejects.toThrow('refused')
  expect(await enabled()).toBe(true)
  refuse = false
  const error = vi.spyOn(log, 'error')
  const afterCommit = await disable()
  expect([await enabled(), done]).toEqual([false, []])
  await afterCommit()
  expect(done).toEqual(['after'])
  expect(error.mock.calls.map(([fields]) => fields)).toEqual([{ err: expect.any(Error), event: 'userDisabled' }])
  error.mockRestore()
})
