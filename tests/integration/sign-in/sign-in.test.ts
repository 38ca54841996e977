import { randomUUID } from 'node:crypto'
import { and, count, eq, inArray, isNull } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { applications, history, messages, sessions, signInAttempts, userSettings, users } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { Browser } from '../../factories/browser'
import { createDomain } from '../../factories/domains'
import { begin, prove, signedInStatus, signInByPassword, signOut } from '../../factories/sign-in'
import { createRole, createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const rows = async (userId: string) =>
  (await db().select({ rows: count() }).from(sessions).where(eq(sessions.userId, userId)))[0]?.rows

describe('password sign-in', () => {
  let anna: Awaited<ReturnType<typeof createUser>>
  beforeAll(async () => {
    anna = await createUser()
  })

  test('works by login, e-mail and mobile, however they are written', async () => {
    for (const [kind, identifier] of [
      ['login', anna.login.toUpperCase()],
      ['email', `  ${anna.email.toUpperCase()} `],
      ['mobile', anna.mobile.replace('+7', '8 ')],
    ] as const) {
      const browser = new Browser()
      const started = await begin(browser, identifier, kind)
      expect(started).toMatchObject({ status: 200, body: { flows: ['credentials', 'email_code'], resendIn: 0 } })
      const answer = await prove(browser, identifier, { password }, kind)
      expect(answer).toMatchObject({ status: 200, body: { next: 'done', redirect: '/platform/profile' } })
      expect(await signedInStatus(browser)).toBe(200)
    }
  })

  test('stores a session, a login in the history and a finished attempt', async () => {
    const user = await createUser()
    const browser = new Browser()
    await signInByPassword(browser, user.login, password)
    const [session] = await db().select().from(sessions).where(eq(sessions.userId, user.id))
    expect(session).toMatchObject({ ip: browser.ip, deviceType: 'desktop', endedAt: null })
    expect(session?.browser).toMatch(/^Chrome 140/)
    const [login] = await db().select().from(history).where(eq(history.entityId, user.id))
    expect(login).toMatchObject({ type: 'login', entity: 'users', changerId: user.id, ip: browser.ip })
    const open = await db()
      .select()
      .from(signInAttempts)
      .where(and(eq(signInAttempts.userId, user.id), isNull(signInAttempts.finishedAt)))
    expect(open).toEqual([])
    expect(browser.cookies.has('platform-attempt')).toBe(false)
  })

  test('replaces a hash with weaker parameters', async () => {
    const { hash } = await import('@node-rs/argon2')
    const user = await createUser({ passwordHash: await hash(password, { memoryCost: 4096, timeCost: 1 }) })
    await signInByPassword(new Browser(), user.login, password)
    const [row] = await db().select().from(users).where(eq(users.id, user.id))
    expect(row?.passwordHash).toMatch(/m=19456,t=2,p=1/)
  })

  test('continues to where the person was going, if that is an allowed path', async () => {
    const paths = {
      '/platform/profile/personal?a=1': '/platform/profile/personal?a=1',
      '//evil.example': '/platform/profile',
      'https://evil.example': '/platform/profile',
      '/\\evil.example': '/platform/profile',
      'javascript:alert(1)': '/platform/profile',
      '/%2f%2fevil.example': '/platform/profile',
    }
    for (const [path, redirect] of Object.entries(paths)) {
      const browser = new Browser()
      await begin(browser, anna.login, 'login', { path })
      expect((await prove(browser, anna.login, { password })).body).toEqual({ next: 'done', redirect })
    }
  })

  test('leads to the only service, to the choice among several, and to the profile if a required field is empty', async () => {
    const [existing, lacking] = [await createUser(), await createUser({ email: null })]
    const redirect = async ({ login }: typeof existing) =>
      (await signInByPassword(new Browser(), login, password)).body.redirect
    const codes = ['stock', 'orders'].map((code) => `${code}-${randomUUID()}`)
    try {
      const redirects: unknown[] = []
      for (const code of codes) {
        const values = {
          code,
          type: 'internal',
          name: code,
          url: `https://${code}.example/`,
          menuVisible: true,
        } as const
        await db().insert(applications).values(values)
        dropCached('applications')
        redirects.push(await redirect(existing))
      }
      expect(redirects).toEqual([`https://${codes[0]}.example/`, '/platform/apps'])
      expect(await redirect(lacking)).toBe('/platform/profile')
    } finally {
      await db().delete(applications).where(inArray(applications.code, codes))
      dropCached('applications')
    }
  })

  test('stores the cookie consent that was given before', async () => {
    const user = await createUser()
    const browser = new Browser()
    browser.cookies.set('cookieConsent', '1')
    await signInByPassword(browser, user.login, password)
    expect(await db().select().from(userSettings).where(eq(userSettings.userId, user.id))).toMatchObject([
      { cookie: true },
    ])
  })

  test('reports a new device by a sealed mail; the first and known devices aren’t reported', async () => {
    const user = await createUser()
    const home = new Browser()
    const mails = () => db().select().from(messages).where(eq(messages.userId, user.id))
    await signInByPassword(home, user.login, password)
    await signOut(home)
    await signInByPassword(home, user.login, password)
    expect(await mails()).toEqual([])
    const other = new Browser()
    await signInByPassword(other, user.login, password)
    const [mail, ...more] = await mails()
    expect(more).toEqual([])
    expect(mail).toMatchObject({ kind: 'email', template: 'newDevice', recipient: user.email })
    expect(mail?.content).not.toContain(other.ip)
  })
})

describe('these are refused', () => {
  test('a wrong password, with the same answer for a known, an unknown, a blocked and a directory account', async () => {
    const existing = await createUser()
    const blocked = await createUser({ enabled: false })
    const withoutPassword = await createUser({ passwordHash: null })
    const answers = []
    for (const login of [existing.login, 'nobody.at.all', blocked.login, withoutPassword.login]) {
      const browser = new Browser()
      const started = await begin(browser, login)
      const failed = await prove(browser, login, { password: 'wrong' })
      const { requestId: _, ...body } = failed.body
      answers.push({ started: { status: started.status, body: started.body }, failed: { status: failed.status, body } })
      expect(await signedInStatus(browser)).toBe(401)
    }
    expect(answers[0]?.failed).toEqual({
      status: 400,
      body: {
        code: 'signInFailed',
        message: 'signInFailed',
        data: { errorList: [{ field: 'password', code: 'signInFailed' }] },
      },
    })
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  test('a blocked account with the right password, with an error that says so, and no session', async () => {
    const user = await createUser({ enabled: false })
    const browser = new Browser()
    expect(await signInByPassword(browser, user.login, password)).toMatchObject({
      status: 400,
      body: { code: 'accountBlocked' },
    })
    expect(await rows(user.id)).toBe(0)
  })

  test('a step without the previous one: 400 expired, and nothing is stored', async () => {
    const user = await createUser()
    const browser = new Browser()
    const answer = await prove(browser, user.login, { password })
    expect(answer).toMatchObject({ status: 400, body: { code: 'attemptExpired', data: { expired: true } } })
    expect(await rows(user.id)).toBe(0)
  })

  test('a flow that is not open', async () => {
    const user = await createUser()
    const browser = new Browser()
    await begin(browser, user.login)
    const answer = await prove(browser, user.login, { flow: 'sms_code', code: '1234' })
    expect(answer).toMatchObject({ status: 400, body: { data: { errorList: [{ field: 'flow', code: 'errorFlow' }] } } })
  })

  test('an attempt that has succeeded, is older than 15 minutes, or belongs to another domain', async () => {
    const user = await createUser()
    const browser = new Browser()
    await begin(browser, user.login)
    const before = browser.copy()
    const elsewhere = browser.copy(await createDomain())
    expect(await prove(elsewhere, user.login, { password })).toMatchObject({
      status: 400,
      body: { data: { expired: true } },
    })
    expect((await prove(browser, user.login, { password })).status).toBe(200)
    expect(await prove(before, user.login, { password })).toMatchObject({
      status: 400,
      body: { data: { expired: true } },
    })

    const late = new Browser()
    await begin(late, user.login)
    await db()
      .update(signInAttempts)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(signInAttempts.userId, user.id))
    expect(await prove(late, user.login, { password })).toMatchObject({
      status: 400,
      body: { data: { expired: true } },
    })
  })

  test('the first of two tabs: the second person takes the attempt over', async () => {
    const [anna, boris] = [await createUser(), await createUser()]
    const browser = new Browser()
    await begin(browser, anna.login)
    await begin(browser, boris.login)
    const first = await prove(browser, anna.login, { password })
    expect(first).toMatchObject({ status: 400, body: { code: 'attemptExpired' } })
    expect(await rows(anna.id)).toBe(0)
    expect((await prove(browser, boris.login, { password })).status).toBe(200)
    expect(await rows(boris.id)).toBe(1)
  })

  test('all but one of parallel right passwords', async () => {
    const user = await createUser()
    const browser = new Browser()
    await begin(browser, user.login)
    const answers = await Promise.all([1, 2, 3, 4].map(() => prove(browser.copy(), user.login, { password })))
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      expect.anything(),
      expect.anything(),
      expect.anything(),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of answers.filter((answer) => answer.status !== 200))
      expect([status, body.code]).toEqual(status === 409 ? [409, 'conflict'] : [400, 'attemptExpired'])
    expect(await rows(user.id)).toBe(1)
  })

  test('a second factor that can’t be used yet, with or without the right password', async () => {
    const role = await createRole({ firstFactor: ['credentials'], secondFactor: ['sms_code'] })
    const user = await createUser({ roles: [role], mobile: null })
    expect(await signInByPassword(new Browser(), user.login, password)).toMatchObject({
      status: 400,
      body: { code: 'noFlows' },
    })
    expect(await rows(user.id)).toBe(0)
  })

  test('two identifiers at once, none, or an invalid one', async () => {
    const browser = new Browser()
    const faults = async (query: Record<string, string>, kind: 'login' | 'email' | 'mobile' = 'email') =>
      (await begin(browser, query[kind] ?? '', kind, query)).body.data
    expect(await faults({ email: 'a@polaris.example', login: 'a' })).toEqual({
      errorList: [{ field: 'login', code: 'errorUnknownField' }],
    })
    expect(await faults({ email: '' })).toEqual({ errorList: [{ field: 'email', code: 'errorEmpty' }] })
    expect(await faults({ email: '"a"@polaris.example' })).toEqual({
      errorList: [{ field: 'email', code: 'errorEmail' }],
    })
    expect(await faults({ mobile: '12' }, 'mobile')).toEqual({ errorList: [{ field: 'mobile', code: 'errorMobile' }] })
  })
})

describe('too many wrong passwords', () => {
  const fail = (browser: Browser, login: string) => signInByPassword(browser, login, 'wrong')

  test('an account attacked from everywhere pauses and says for how long; others aren’t affected', async () => {
    const [target, other] = [await createUser(), await createUser()]
    const statuses = []
    for (let n = 0; n < 5; n++) statuses.push((await fail(new Browser(), target.login)).status)
    expect(statuses).toEqual([400, 400, 400, 400, 429])
    const refusal = await signInByPassword(new Browser(), target.login, password)
    expect(refusal).toMatchObject({ status: 429, body: { code: 'tooManyAttempts' } })
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await signInByPassword(new Browser(), other.login, password)).status).toBe(200)
  })

  test('whichever identifier is used: one that was not typed before is answered like a wrong password', async () => {
    const target = await createUser()
    for (let n = 0; n < 4; n++)
      await signInByPassword(new Browser(), n % 2 ? target.email : target.login, 'wrong', n % 2 ? 'email' : 'login')
    expect(await signInByPassword(new Browser(), target.mobile, password, 'mobile')).toMatchObject({
      status: 400,
      body: { code: 'signInFailed' },
    })
  })

  test('the real person can still sign in with a known browser', async () => {
    const user = await createUser()
    const ownBrowser = new Browser()
    await signInByPassword(ownBrowser, user.login, password)
    await signOut(ownBrowser)
    for (let n = 0; n < 6; n++) await fail(new Browser(), user.login)
    expect((await signInByPassword(new Browser(), user.login, password)).status).toBe(429)
    expect((await signInByPassword(ownBrowser, user.login, password)).status).toBe(200)
  })

  test('guesses at many accounts from one address are slowed; another address isn’t affected', async () => {
    const user = await createUser()
    const statuses = []
    for (let n = 0; n < 22; n++)
      statuses.push((await fail(new Browser(undefined, '198.51.100.7'), `sprayed.${n}`)).status)
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(400))
    expect(statuses.slice(20)).toEqual([429, 429])
    expect((await signInByPassword(new Browser(), user.login, password)).status).toBe(200)
  })

  test('the right password resets the count', async () => {
    const user = await createUser()
    const browser = new Browser()
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 3; n++) expect((await fail(browser, user.login)).status).toBe(400)
      expect((await signInByPassword(browser, user.login, password)).status).toBe(200)
    }
  })
})
