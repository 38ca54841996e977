import { randomUUID } from 'node:crypto'
import { and, desc, eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { links, messages, oidcRecords, roles, sessions, settings, userRoles, users } from '@/db/schema'
import { getMenu } from '@/lib/applications/menu/contract'
import { dropCached } from '@/lib/base/cache/cache'
import { redis } from '@/lib/base/redis/redis'
import { overview } from '@/lib/operations/overview/service'
import { getPublicSettings } from '@/lib/operations/public-settings/service'
import { requestPath } from '@/lib/request/request-path'
import { getProjectInfo } from '@/lib/site/project-info/contract'
import type { SettingId } from '@/lib/site/settings/definitions'
import { createRoleWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { ask, askedBy, codeUser, enter, passResend, wrong } from '../../factories/codes'
import { rowOf } from '../../factories/invitation-calls'
import { invite } from '../../factories/invitations'
import { lastCodeTo, runJobs } from '../../factories/messages'
import { createClient, startProvider } from '../../factories/oidc'
import { signedIn, tokensFor } from '../../factories/oidc-flows'
import { change, ownAccount } from '../../factories/own-account'
import { first } from '../../factories/platform'
import { askForLink } from '../../factories/recovery'
import {
  askMobileCode,
  finish,
  newEmail,
  newMobile,
  proveMobileOf,
  startRegistration,
  verifyMobile,
} from '../../factories/registration'
import { handlerOf } from '../../factories/routes'
import { createServiceAccount } from '../../factories/service-accounts'
import { setSetting } from '../../factories/settings'
import { begin, signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const menu = handlerOf(getMenu)
const info = handlerOf(getProjectInfo)

useTestDatabase()

const set = (id: SettingId, value: unknown) => setSetting(id, value)
const duration = (value: number, unit: 'seconds' | 'minutes' | 'hours' | 'days') => ({ value, unit })

afterEach(async () => {
  await db().delete(settings)
  dropCached('settings')
  await redis().flushdb()
})

describe('a rule for passwords', () => {
  const cases: [id: SettingId, value: unknown, refused: string, accepted: string][] = [
    ['passwordUppercase', true, 'violet-lantern-42', 'Violet-lantern-42'],
    ['passwordLowercase', true, 'VIOLET-LANTERN-42', 'VIOLET-LANTERn-42'],
    ['passwordNumbers', true, 'Violet-lantern-oak', 'Violet-lantern-4k'],
    ['passwordSymbols', '#', 'Violet-lantern-42', 'Violet#lantern-42'],
    ['passwordMin', 18, 'Violet-lantern-42', 'Violet-lantern-4242'],
    ['passwordMax', 16, 'Violet-lantern-42', 'Violet-lantern-4'],
    [
      'passwordCustomRules',
      [{ pattern: '^[A-Z]', title: { ru: 'Начинается с прописной', en: 'Begins with a capital' } }],
      'violet-Lantern-42',
      'Violet-lantern-42',
    ],
  ]
  test.each(cases)('%s', async (id, value, refused, accepted) => {
    const off = { passwordUppercase: false, passwordLowercase: false, passwordNumbers: false, passwordSymbols: '' }
    for (const [other, none] of Object.entries(off)) await set(other as SettingId, none)
    const { caller } = await ownAccount()
    await set(id, value)
    const to = (next: string) => change(caller, { actual: password, password: next, rePassword: next })
    expect(await to(refused)).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'password', code: 'errorPasswordRules' }] } },
    })
    expect((await to(accepted)).status).toBe(200)
  })
})

test('forms offer to make a password while passwordGenerate is on', async () => {
  for (const on of [false, true]) {
    await set('passwordGenerate', on)
    expect((await getPublicSettings()).password.generate).toBe(on)
  }
})

test('a session ends sessionAlive after it began, however much it is used', async () => {
  await set('sessionAlive', duration(3, 'days'))
  const { id, login } = await createUser()
  await signInByPassword(new Browser(), login, password)
  const { createdAt, expiresAt } = first(await db().select().from(sessions).where(eq(sessions.userId, id)))
  expect(Math.round((expiresAt.getTime() - createdAt.getTime()) / 1000)).toBe(3 * 86_400)
})

describe('codes of sign-in', () => {
  test('authCodeAlive is how long a code is good, and authCodeResendAlive when the next one may be asked for', async () => {
    await set('authCodeAlive', duration(7, 'minutes'))
    await set('authCodeResendAlive', duration(45, 'seconds'))
    const { login } = await codeUser()
    const browser = new Browser()
    await begin(browser, login)
    const { body } = await ask(browser, login)
    expect(body.resendIn).toBe(45)
    const msLeft = Date.parse(String(body.endTime)) - Date.now()
    expect(msLeft).toBeGreaterThan(6.5 * 60_000)
    expect(msLeft).toBeLessThanOrEqual(7 * 60_000)
  })

  test('after authCodeAttempts wrong entries the right one comes too late', async () => {
    await set('authCodeAttempts', 2)
    const user = await codeUser()
    const [early, late] = [new Browser(), new Browser()]
    const right = await askedBy(early, user)
    await enter(early, user.login, wrong(right))
    expect((await enter(early, user.login, right)).status).toBe(200)
    const other = await codeUser()
    const digits = await askedBy(late, other)
    for (let n = 0; n < 2; n++) await enter(late, other.login, wrong(digits))
    expect((await enter(late, other.login, digits)).status).toBe(400)
  })

  test('while identificationMobile is off, nobody signs in by a mobile', async () => {
    const { mobile } = await codeUser()
    expect((await begin(new Browser(), mobile, 'mobile')).status).toBe(200)
    await set('identificationMobile', false)
    expect(await begin(new Browser(), mobile, 'mobile')).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ code: 'errorIdAttribute' }] } },
    })
  })
})

describe('codes that prove a mobile', () => {
  test('mobileVerifyAlive is how long a code is good', async () => {
    await set('mobileVerifyAlive', duration(3, 'minutes'))
    const browser = new Browser()
    const { secret } = await startRegistration(browser)
    const { body } = await askMobileCode(browser, secret, newMobile())
    const msLeft = Date.parse(String(body.endTime)) - Date.now()
    expect(msLeft).toBeGreaterThan(2.5 * 60_000)
    expect(msLeft).toBeLessThanOrEqual(3 * 60_000)
  })

  test('after mobileVerifyAttempts wrong entries the right one comes too late', async () => {
    await set('mobileVerifyAttempts', 2)
    const browser = new Browser()
    const { secret } = await startRegistration(browser)
    const mobile = newMobile()
    await passResend()
    await askMobileCode(browser, secret, mobile)
    const right = await lastCodeTo(mobile)
    for (let n = 0; n < 2; n++) await verifyMobile(browser, secret, mobile, wrong(right))
    expect((await verifyMobile(browser, secret, mobile, right)).status).toBe(400)
  })
})

describe('links', () => {
  const secondsOf = ({ createdAt, expiresAt }: { createdAt: Date; expiresAt: Date }) =>
    Math.round((expiresAt.getTime() - createdAt.getTime()) / 1000)
  const newest = async (kind: 'registration' | 'recovery' | 'entry') =>
    first(await db().select().from(links).where(eq(links.kind, kind)).orderBy(desc(links.createdAt)).limit(1))

  test('registrationAlive is how long that of a registration is good', async () => {
    await set('registrationAlive', duration(5, 'hours'))
    await startRegistration(new Browser())
    expect(secondsOf(await newest('registration'))).toBe(5 * 3600)
  })

  test('refreshAlive is how long that to a new password is good', async () => {
    await set('refreshAlive', duration(2, 'hours'))
    const { email } = await createUser()
    await askForLink(new Browser(), email)
    await runJobs()
    expect(secondsOf(await newest('recovery'))).toBe(2 * 3600)
  })

  test('firstRefreshAlive is how long a person has to set their first password', async () => {
    await set('firstRefreshAlive', duration(30, 'hours'))
    const { login } = await createUser({ passwordChangeRequired: true })
    expect(await signInByPassword(new Browser(), login, password)).toMatchObject({ body: { next: 'set_password' } })
    expect(secondsOf(await newest('entry'))).toBe(30 * 3600)
  })

  test('inviteAlive is how long that of an invitation is good', async () => {
    await set('inviteAlive', duration(3, 'days'))
    const { sentAt, expiresAt } = await rowOf(await invite())
    expect(expiresAt.getTime() - sentAt.getTime()).toBe(3 * 86_400_000)
  })
})

test('whoever registers gets the role of defaultUserRole', async () => {
  const code = await createRoleWith([])
  const { id } = first(await db().select().from(roles).where(eq(roles.code, code)))
  await set('defaultUserRole', id)
  const browser = new Browser()
  const email = newEmail()
  const { secret } = await startRegistration(browser, email)
  await proveMobileOf(browser, secret)
  expect((await finish(browser, secret)).status).toBe(200)
  const { id: userId } = first(await db().select().from(users).where(eq(users.email, email)))
  const heldRoles = await db().select({ roleId: userRoles.roleId }).from(userRoles).where(eq(userRoles.userId, userId))
  expect(heldRoles).toEqual([{ roleId: id }])
})

test('a message that waits for longer than monitoringStuckAfter is shown to administrators', async () => {
  const stuck = async () => {
    dropCached('overview')
    const { matters } = await overview({ methods: new Set(['monitoring.read']) })
    return matters.find(({ code }) => code === 'stuckMessages')?.count ?? 0
  }
  const values = {
    kind: 'email' as const,
    template: 'code',
    recipient: `${randomUUID()}@b.example`,
    locale: 'ru',
    content: 'x',
  }
  const [row] = await db()
    .insert(messages)
    .values({ ...values, status: 'queued', createdAt: new Date(Date.now() - 10 * 60_000) })
    .returning()
  await set('monitoringStuckAfter', duration(15, 'minutes'))
  expect(await stuck()).toBe(0)
  await set('monitoringStuckAfter', duration(5, 'minutes'))
  expect(await stuck()).toBe(1)
  await db()
    .delete(messages)
    .where(and(eq(messages.id, row?.id ?? ''), eq(messages.status, 'queued')))
})

test('while accessRequests is off, no menu leads to requests, and nobody is sent there', async () => {
  const browser = new Browser()
  await signInByPassword(browser, (await createUser()).login, password)
  const names = async () => JSON.stringify((await browser.send(menu, 'GET', { query: { type: 'platform' } })).body.menu)
  expect([(await names()).includes('"UserProfileAccessRequests"'), await requestPath()]).toEqual([
    true,
    '/platform/profile/requests/access',
  ])
  await set('accessRequests', false)
  expect([(await names()).includes('"UserProfileAccessRequests"'), await requestPath()]).toEqual([false, undefined])
})

test('while cookie is off, no domain shows the cookie notice', async () => {
  const asksCookie = async () => {
    const { body } = await new Browser().send(info, 'GET')
    return (body.uiSettings as { cookie: boolean }).cookie
  }
  expect(await asksCookie()).toBe(true)
  await set('cookie', false)
  expect(await asksCookie()).toBe(false)
})

describe('tokens', () => {
  let running: Awaited<ReturnType<typeof startProvider>>
  beforeAll(async () => {
    running = await startProvider()
  })
  afterAll(() => running.stop())

  test('accessTokenLifespan and refreshTokenLifespan are how long the tokens of a person are good', async () => {
    const { config } = await createClient(running)
    const { browser } = await signedIn()
    await set('accessTokenLifespan', duration(7, 'minutes'))
    await set('refreshTokenLifespan', duration(50, 'hours'))
    const ends = async () => {
      const tokens = await tokensFor(running, browser, config, { scope: 'openid offline_access' })
      const [row] = await db()
        .select({ expiresAt: oidcRecords.expiresAt })
        .from(oidcRecords)
        .where(eq(oidcRecords.model, 'RefreshToken'))
        .orderBy(desc(oidcRecords.expiresAt))
        .limit(1)
      return [tokens.expires_in, Math.round(((row?.expiresAt?.getTime() ?? 0) - Date.now()) / 3_600_000)]
    }
    await expect.poll(ends, { timeout: 10_000 }).toEqual([420, 50])
  })

  test('clientAccessTokenLifespan is how long a token of a service account is good', async () => {
    const { config } = await createServiceAccount(running)
    await set('clientAccessTokenLifespan', duration(11, 'minutes'))
    await expect
      .poll(async () => (await client.clientCredentialsGrant(config)).expires_in, { timeout: 10_000 })
      .toBe(660)
  })
})
