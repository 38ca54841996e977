import { and, eq, sql } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { db } from '@/db/client'
import { idempotencyKeys, messages, roles, sessions, users } from '@/db/schema'
import { contract } from '@/lib/base/contracts/contract'
import { route } from '@/lib/request/route'
import { takeResend } from '@/lib/sign-in/codes/redis-code'
import { setEntryPassword } from '@/lib/sign-in/passwords/contract'
import { Browser } from '../../factories/browser'
import { formOf, say } from '../../factories/invitation-calls'
import { invite } from '../../factories/invitations'
import { recoveryLink, setByLink } from '../../factories/recovery'
import { keysWithoutEnd } from '../../factories/redis-keys'
import { finish, startRegistration } from '../../factories/registration'
import { handlerOf } from '../../factories/routes'
import { begin, prove, signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const setFirst = handlerOf(setEntryPassword)

useTestDatabase()
afterEach(async () => {
  expect(await keysWithoutEnd()).toEqual([])
})

const thirty = <T>(work: (n: number) => Promise<T>) => Promise.all(Array.from({ length: 30 }, (_, n) => work(n)))

/** Expects that one succeeded and that the others were refused with a code, which may be `late` for whoever follows it. */
function oneWon(answers: { status: number; body: Record<string, unknown> }[], late?: string) {
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const { status, body } of answers)
    if (status !== 401 || body.code !== late) expect([200, 400, 403, 409, 429], JSON.stringify(body)).toContain(status)
}

const sessionsOf = (userId: string) => db().select().from(sessions).where(eq(sessions.userId, userId))

describe('of thirty requests at once one wins', () => {
  test('with a sign-in attempt', async () => {
    const [user, browser] = [await createUser(), new Browser()]
    await begin(browser, user.login)
    oneWon(await thirty(() => prove(browser.copy(), user.login, { password })))
    expect(await sessionsOf(user.id)).toHaveLength(1)
  })

  test('with a recovery link', async () => {
    const [user, browser] = [await createUser(), new Browser()]
    const id = await recoveryLink(browser, user)
    oneWon(await thirty((n) => setByLink(new Browser(), id, `Severnyj-veter-${n}`)))
    const mails = and(eq(messages.userId, user.id), eq(messages.template, 'passwordChanged'))
    expect(await db().select({ id: messages.id }).from(messages).where(mails)).toHaveLength(1)
  })

  test('with a registration link', async () => {
    const { email, secret } = await startRegistration(new Browser())
    oneWon(await thirty(() => finish(new Browser(), secret)))
    const made = await db().select({ id: users.id }).from(users).where(eq(users.email, email))
    expect(made).toHaveLength(1)
    expect(await sessionsOf(made[0]?.id ?? '')).toHaveLength(1)
  })

  test('with a first-entry link', async () => {
    const [user, browser] = [await createUser({ passwordChangeRequired: true }), new Browser()]
    const id = String((await signInByPassword(browser, user.login, password)).body.setPassword)
    const put = (n: number) => {
      const value = `Severnyj-veter-${n}`
      return browser.copy().send(setFirst, 'PUT', { params: { id }, body: { password: value, repeatPassword: value } })
    }
    oneWon(await thirty(put))
    expect(await sessionsOf(user.id)).toHaveLength(1)
  })

  test('with an invitation', async () => {
    const invited = await invite()
    // the account exists by then, so its person is asked to sign in
    oneWon(await thirty(() => say(new Browser(), formOf(invited))), 'invitationSignIn')
    expect(await db().select().from(users).where(eq(users.email, invited.email))).toHaveLength(1)
  })

  test('with the right to have a code sent', async () => {
    const waits = await thirty(() => takeResend('sms_code +79110000001', 60))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(1)
  })
})

describe('an idempotency key', () => {
  let runs = 0
  const waiting: (() => void)[] = []
  const call = contract({
    name: 'once',
    method: 'POST',
    path: '/once',
    summary: '',
    tag: 'test',
    access: 'public',
    body: z.strictObject({ hold: z.boolean().optional(), fail: z.boolean().optional(), role: z.string().optional() }),
    response: z.strictObject({ run: z.number() }),
  })
  const handler = route(call, async (_, { body }) => {
    const { role } = body
    const run = ++runs
    if (body.hold) await new Promise<void>((resolve) => waiting.push(resolve))
    if (body.fail) throw new Error('failed')
    if (role) await db().transaction((tx) => tx.insert(roles).values({ name: role, roleType: 'systemic' }))
    return { run }
  })
  const post = (browser: Browser, key: string, body: object = {}) =>
    browser.copy().send(handler, 'POST', { body, headers: { 'idempotency-key': key } })
  const rowOf = async (key: string) =>
    (await db().select().from(idempotencyKeys).where(eq(idempotencyKeys.key, key)))[0]
  const age = (key: string) =>
    db()
      .update(idempotencyKeys)
      .set({ createdAt: sql`now() - interval '2 minutes'` })
      .where(eq(idempotencyKeys.key, key))

  test('lets one of thirty run; the others get 409 or its answer', async () => {
    const [browser, before] = [new Browser(), runs]
    const answers = await thirty(() => post(browser, 'all'))
    expect(runs - before).toBe(1)
    for (const { status, body } of answers)
      expect(status === 200 ? body : [status, body.code]).toEqual(
        status === 200 ? { run: runs } : [409, 'idempotencyKeyRunning'],
      )
  })

  test('of a run that died with its process is taken over by one of thirty', async () => {
    const browser = new Browser()
    await post(browser, 'died')
    await db().update(idempotencyKeys).set({ status: null, answer: null }).where(eq(idempotencyKeys.key, 'died'))
    await age('died')
    const before = runs
    await thirty(() => post(browser, 'died'))
    expect(runs - before).toBe(1)
    expect(await post(browser, 'died')).toMatchObject({ status: 200, body: { run: runs } })
  })

  test.each([false, true])(
    'belongs to the run that took it over, even if the slow run ends: fails %s',
    async (fail) => {
      const [browser, key] = [new Browser(), `slow ${fail}`]
      const slow = post(browser, key, { hold: true, fail })
      await expect.poll(() => waiting.length).toBe(1)
      await age(key)
      const next = post(browser, key, { hold: true, fail })
      await expect.poll(() => waiting.length).toBe(2)
      const [first, second] = waiting.splice(0)
      first?.()
      await slow
      const stored = await rowOf(key)
      expect(stored).toMatchObject({ status: null, answer: null })
      expect(await post(browser, key, { hold: true, fail })).toMatchObject({ status: 409 })
      second?.()
      await next
      expect((await rowOf(key))?.status ?? null).toBe(fail ? null : 200)
    },
  )
  test('of thirty runs that each took it from a slow one, one alone commits', async () => {
    const [browser, role] = [new Browser(), 'once']
    const answers: ReturnType<typeof post>[] = []
    for (let n = 1; n <= 30; n++) {
      answers.push(post(browser, role, { hold: true, role }))
      await expect.poll(() => waiting.length).toBe(n)
      if (n < 30) await age(role)
    }
    for (const go of waiting.splice(0)) go()
    oneWon(await Promise.all(answers), 'idempotencyKeyRunning')
    expect(await db().$count(roles, eq(roles.name, role))).toBe(1)
    expect(await post(browser, role, { hold: true, role })).toMatchObject({ status: 200 })
  })
})
