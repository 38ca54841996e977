import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { db } from '@/db/client'
import { authenticationSchemas, signInLog, users } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { runHousekeeping } from '@/lib/base/jobs/housekeeping'
import { redis } from '@/lib/base/redis/redis'
import { listSignIns, type SignIn } from '@/lib/sign-in/sign-in-log/contract'
import { readWhole } from '@/lib/sign-in/sign-in-log/queries'
import { platformHousekeeping } from '@/lib/wiring/housekeeping'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { type Caller, callerFor } from '../../factories/caller'
import { ask, askedBy, codeUser, enter, wrong } from '../../factories/codes'
import { lastCodeTo } from '../../factories/messages'
import { createClient, follow, request, startProvider } from '../../factories/oidc'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { setSetting } from '../../factories/settings'
import { begin, prove, signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let reader: Caller
beforeAll(async () => {
  reader = await callerFor(listSignIns)
})
beforeEach(() => redis().flushdb())

type Filter = NonNullable<NonNullable<Parameters<typeof read>[0]>['filter']>
const read = async (query: { filter?: Record<string, unknown>; meta?: object } = {}) =>
  (await reader.call(listSignIns, { query: query as never })) as { signIns: SignIn[]; meta: { after: string | null } }
const logged = async (filter: Filter) => (await read({ filter })).signIns
/** Causes of the person’s sign-ins, the newest first; null for a success. */
const causes = async (userId: string) => (await logged({ userId })).map(({ cause }) => cause)

describe('the sign-in log', () => {
  // a schema of another test may be what is offered to somebody who isn't there
  beforeEach(async () => {
    await db().delete(authenticationSchemas).where(eq(authenticationSchemas.base, false))
    dropCached('authentication-schemas')
  })

  test('of an identifier without an account keeps a keyed digest and a mask, and finds it by the whole of it', async () => {
    const identifiers = ['Nobody.Secret77@Hidden-Domain.example', 'Secret-Pa55word!x', '+79990001122'] as const
    for (const [n, kind] of (['email', 'login', 'mobile'] as const).entries())
      await signInByPassword(new Browser(), identifiers[n] ?? '', 'Typed-Pa55word!', kind)
    const { rows } = await db().execute(sql`select l::text as text from ${signInLog} l`)
    const stored = rows.map(({ text }) => String(text).toLowerCase()).join('\n')
    for (const typed of ['nobody.secret77', 'hidden-domain', 'secret-pa55', 'typed-pa55', '9990001122'])
      expect(stored).not.toContain(typed)
    for (const [identifier, mask] of [
      [identifiers[0], 'n•••@h•••.example'],
      [identifiers[1], 's•••'],
      ['8 (999) 000-11-22', '+7•••22'],
    ] as const)
      expect(await logged({ search: identifier })).toMatchObject([{ mask, user: null, cause: 'unknown' }])
    expect(await logged({ search: 'nobody.secret' })).toEqual([])
    expect(await logged({ search: '\u200b' }).catch(() => [])).toEqual([])
  })

  test('says of each refusal why, though the person is told less', async () => {
    const user = await createUser()
    await signInByPassword(new Browser(), user.login, 'wrong')
    expect(await causes(user.id)).toEqual(['wrongPassword'])
    for (let n = 0; n < 3; n++) await signInByPassword(new Browser(), user.login, 'wrong')
    await signInByPassword(new Browser(), user.email, password, 'email')
    await signInByPassword(new Browser(), user.login, password)
    expect((await causes(user.id)).slice(0, 2)).toEqual(['tooMany', 'slowed'])

    const none = await createUser({ passwordHash: null })
    await signInByPassword(new Browser(), none.login, password)
    expect(await causes(none.id)).toEqual(['noPassword'])

    const disabled = await createUser({ enabled: false })
    await signInByPassword(new Browser(), disabled.login, password)
    expect(await causes(disabled.id)).toEqual(['disabled'])

    await db().execute(sql`update password_failures set count = 100 where user_id = ${user.id}`)
    await redis().flushdb()
    await signInByPassword(new Browser(), user.login, password)
    expect((await causes(user.id))[0]).toBe('passwordClosed')
  })

  test('has a success with its factors in order, where from and with what', async () => {
    const user = await codeUser(['credentials'], ['email_code'])
    const browser = new Browser(undefined, '203.0.113.77')
    const code = await askedByPassword(browser, user)
    expect(await enter(browser, user.login, code)).toMatchObject({ body: { next: 'done' } })
    expect(await logged({ userId: user.id })).toEqual([
      {
        id: expect.any(String),
        date: expect.any(String),
        success: true,
        cause: null,
        flows: ['credentials', 'email_code'],
        idAttribute: 'login',
        mask: null,
        provider: null,
        reason: null,
        reasonText: null,
        user: { id: user.id, name: user.fio },
        application: null,
        ip: expect.any(String),
        device: { browser: expect.any(String), system: expect.any(String), type: 'desktop' },
      },
    ])
  })

  test('says why a code was refused', async () => {
    const user = await codeUser(['email_code'])
    const browser = new Browser()
    const code = await askedBy(browser, user)
    await enter(browser, user.login, wrong(code))
    expect(await causes(user.id)).toEqual(['wrongCode'])

    const nowhere = await codeUser(['email_code'])
    await db().update(users).set({ email: null }).where(eq(users.id, nowhere.id))
    const other = new Browser()
    await begin(other, nowhere.login)
    await ask(other, nowhere.login)
    await enter(other, nowhere.login, '0000')
    expect(await causes(nowhere.id)).toEqual(['unreachable'])

    // after so many wrong codes of a day the right one is refused too
    for (let n = 0; n < 4; n++) {
      const again = new Browser()
      const digits = await askedBy(again, user)
      for (let m = 0; m < 3; m++) await enter(again, user.login, wrong(digits))
    }
    const late = new Browser()
    await enter(late, user.login, await askedBy(late, user))
    expect((await causes(user.id))[0]).toBe('codesClosed')
  })

  test('names the application to which the person was going', async () => {
    const running = await startProvider()
    afterAll(() => running.stop())
    const { config, application } = await createClient(running)
    const browser = new Browser()
    const { url } = await follow(running, browser, (await request(config)).url)
    const user = await createUser()
    await begin(browser, user.login, 'login', { path: url.searchParams.get('path') ?? '' })
    await prove(browser, user.login, { password: 'wrong' })
    await prove(browser, user.login, { password })
    const named = { id: application.id, name: application.name, nameEn: application.nameEn }
    expect((await logged({ userId: user.id })).map(({ application: one }) => one)).toEqual([named, named])
  })

  test('finds what somebody did by any identifier of theirs', async () => {
    const user = await createUser()
    await signInByPassword(new Browser(), user.login, password)
    for (const search of [user.login.toUpperCase(), user.email, user.mobile])
      expect(await logged({ search })).toMatchObject([{ user: { id: user.id } }])
  })

  test('repeats a refusal by limits once a minute, whatever is sent', async () => {
    const user = await createUser()
    for (let n = 0; n < 4; n++) await signInByPassword(new Browser(), user.login, 'wrong')
    const browser = new Browser()
    await begin(browser, user.login)
    const answers = await thirty(() => prove(browser, user.login, { password: 'wrong' }))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]))
    const entries = await logged({ userId: user.id, cause: ['tooMany'] })
    // those that are written at the same moment don’t see each other
    expect(entries.length).toBeLessThan(30)
    await prove(browser, user.login, { password: 'wrong' })
    expect(await logged({ userId: user.id, cause: ['tooMany'] })).toHaveLength(entries.length)
  })

  test('keeps a deleted account’s rows without a name', async () => {
    const user = await createUser()
    await signInByPassword(new Browser(), user.login, 'wrong')
    await db().delete(users).where(eq(users.id, user.id))
    expect(await logged({ userId: user.id })).toMatchObject([{ user: { id: user.id, name: null }, mask: null }])
  })

  test.each([0, 3, 2_000])(
    'is filtered by every filter at once as by each of them, and paged without a gap, at most %i rows read whole',
    async (rows) => {
      const below = caseNumbers(21)
      const original = { ...readWhole }
      Object.assign(readWhole, { rows })
      onTestFinished(() => void Object.assign(readWhole, original))
      // of providers and flows that few rows have
      const [providerId, other] = [randomUUID(), randomUUID()]
      await db()
        .insert(signInLog)
        .values(
          ([['email_code'], ['email_code', 'sms_code'], ['sms_code'], []] as const).map((flows, n) => ({
            ...{ at: new Date(Date.now() - n * 1_000), flows: [...flows], providerId: n < 3 ? providerId : other },
            ...{ cause: [null, 'wrongCode', 'providerDown', null][n] ?? null, ip: '203.0.113.9' },
            ...{ browser: '', system: '', deviceType: 'desktop' },
          })),
        )
      const all = (await read({ meta: { perPage: 100 } })).signIns
      const day = (later: number) => new Date(Date.now() + later * 86_400_000).toISOString().slice(0, 10)
      for (const _ of eachRound(40)) {
        const one = all[below(all.length)]
        if (!one) throw new Error('nothing is logged')
        const causes: string[] =
          [[one.cause ?? 'slowed', 'smsUnavailable', 'wrongCode'], ['codesClosed']][below(2)] ?? []
        const flows: string[] = [[one.flows[0] ?? 'sms_code'], ['sms_code', 'email_code']][below(2)] ?? []
        const filters: [Record<string, unknown>, (row: SignIn) => boolean][] = [
          [{ success: String(one.success) }, (row: SignIn) => row.success === one.success],
          [{ ip: one.ip }, (row: SignIn) => row.ip === one.ip],
          [{ dateFrom: day(-1), dateTo: day(1) }, () => true],
          [{ dateTo: day(-2) }, () => false],
          [{ cause: causes }, (row: SignIn) => row.cause !== null && causes.includes(row.cause)],
          [{ flow: flows }, (row: SignIn) => row.flows.some((flow) => flows.includes(flow))],
          [{ providerId }, (row: SignIn) => row.provider?.id === providerId],
          ...(one.user ? [[{ userId: one.user.id }, (row: SignIn) => row.user?.id === one.user?.id] as const] : []),
        ].filter(() => below(3) === 0) as never
        const filter = Object.assign({}, ...filters.map(([part]) => part))
        const expected = all.filter((row) => filters.every(([, holds]) => holds(row))).map(({ id }) => id)
        const listed: string[] = []
        for (let after: string | null | undefined; after !== null; ) {
          const page = await read({ filter, meta: { perPage: 10, ...(after ? { after } : {}) } })
          listed.push(...page.signIns.map(({ id }) => id))
          after = page.meta.after
        }
        expect([filter, listed]).toEqual([filter, expected])
      }
    },
  )

  test('is kept for as long as interactionRetention says', async () => {
    const user = await createUser()
    await signInByPassword(new Browser(), user.login, 'wrong')
    const age = (days: number) =>
      db()
        .update(signInLog)
        .set({ at: new Date(Date.now() - days * 86_400_000) })
        .where(eq(signInLog.userId, user.id))
    await setSetting('interactionRetention', 60)
    await age(59)
    await runHousekeeping(platformHousekeeping, null)
    expect(await causes(user.id)).toEqual(['wrongPassword'])
    await age(61)
    await runHousekeeping(platformHousekeeping, null)
    expect(await causes(user.id)).toEqual([])
  })
})

/** Proves the password and asks for the code of the second factor; returns its digits. */
async function askedByPassword(browser: Browser, user: Awaited<ReturnType<typeof codeUser>>) {
  await signInByPassword(browser, user.login, password)
  await ask(browser, user.login)

  return lastCodeTo(user.email)
}
