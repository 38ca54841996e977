import { eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { signInAttempts } from '@/db/schema'
import type { CodeFlow } from '@/lib/access/authentication-schemas/flow-ids'
import { isStillMet } from '@/lib/openid/server/acr'
import { authCode } from '@/lib/sign-in/attempts/contract'
import { changeSchema, createSchema, sentToSignIn, tokensAfter } from '../../factories/acr'
import { Browser } from '../../factories/browser'
import { lastCodeTo } from '../../factories/messages'
import { createClient, follow, request, startProvider } from '../../factories/oidc'
import { deviceGrant, devicePages } from '../../factories/oidc-device'
import { tokensFor } from '../../factories/oidc-flows'
import { handlerOf } from '../../factories/routes'
import { begin, prove, signedInStatus } from '../../factories/sign-in'
import { createRole, createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const code = handlerOf(authCode)

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
let config: client.Configuration
beforeAll(async () => {
  running = await startProvider()
  config = (await createClient(running)).config
})
afterAll(() => running.stop())

type User = Awaited<ReturnType<typeof createUser>>

const proveCode = async (browser: Browser, user: User, flow: CodeFlow) => {
  const body = { flow, login: user.login }
  expect((await browser.send(code, 'POST', { params: { idAttribute: 'login' }, body })).status).toBe(200)
  return prove(browser, user.login, { flow, code: await lastCodeTo(flow === 'email_code' ? user.email : user.mobile) })
}

describe('with two schemas both apply', () => {
  test('a schema with an SMS code isn’t weakened by a request for another second factor', async () => {
    const mailSecond = await createSchema(['credentials'], ['email_code'])
    const role = await createRole({ firstFactor: ['credentials'], secondFactor: ['sms_code'] })
    const user = await createUser({ roles: [role] })
    const browser = new Browser()
    const way = await sentToSignIn(running, browser, config, { acr_values: mailSecond })
    await begin(browser, user.login, 'login', { path: way.path })
    const first = await prove(browser, user.login, { password })
    expect(first.body).toEqual({ next: 'second_factor', flows: ['sms_code'] })
    expect(await signedInStatus(browser)).toBe(401)
    expect((await proveCode(browser, user, 'sms_code')).body).toEqual({ next: 'second_factor', flows: ['email_code'] })
    expect(await signedInStatus(browser)).toBe(401)
    expect((await proveCode(browser, user, 'email_code')).body).toEqual({ next: 'done', redirect: way.path })
    const tokens = await tokensAfter(running, browser, config, way)
    expect(tokens.claims()).toMatchObject({ acr: mailSecond, amr: ['pwd', 'otp', 'sms', 'mfa'] })
  })
  test('a request for several schemas is met as far as the account can receive, and the own one always', async () => {
    const [sms, mail] = [
      await createSchema(['credentials'], ['sms_code']),
      await createSchema(['credentials'], ['email_code']),
    ]
    const wishes = { acr_values: `${sms} ${mail}` }
    const withoutMobile = await createUser({ mobile: null })
    const one = new Browser()
    const way = await sentToSignIn(running, one, config, wishes)
    await begin(one, withoutMobile.login, 'login', { path: way.path })
    const next = await prove(one, withoutMobile.login, { password })
    expect(next.body).toEqual({ next: 'second_factor', flows: ['email_code'] })
    await proveCode(one, withoutMobile, 'email_code')
    expect((await tokensAfter(running, one, config, way)).claims()).toMatchObject({ acr: mail })

    const alone = await createUser({ mobile: null, email: null })
    const other = new Browser()
    const sent = await sentToSignIn(running, other, config, wishes)
    await begin(other, alone.login, 'login', { path: sent.path })
    expect((await prove(other, alone.login, { password })).body).toMatchObject({ next: 'done' })
    expect((await tokensAfter(running, other, config, sent)).claims()).toMatchObject({ acr: 'base', amr: ['pwd'] })
  })

  test('three steps follow the pages’ own calls: each names the next one, and a rendered page shows it', async () => {
    const requested = await createSchema(['email_code'], ['sms_code'])
    const role = await createRole({ firstFactor: ['credentials'], secondFactor: ['sms_code'] })
    const user = await createUser({ roles: [role] })
    const browser = new Browser()
    const way = await sentToSignIn(running, browser, config, { acr_values: requested })
    await begin(browser, user.login, 'login', { path: way.path })
    expect((await prove(browser, user.login, { password })).body).toMatchObject({ flows: ['email_code'] })
    const early = { flow: 'sms_code', login: user.login }
    expect((await browser.send(code, 'POST', { params: { idAttribute: 'login' }, body: early })).status).toBe(400)
    expect((await proveCode(browser, user, 'email_code')).body).toMatchObject({ flows: ['sms_code'] })
    expect((await proveCode(browser, user, 'sms_code')).body).toMatchObject({ next: 'done' })
    expect((await tokensAfter(running, browser, config, way)).claims()).toMatchObject({ acr: requested })
    // the one session meets both schemas
    const ownTokens = await tokensFor(running, browser, config, { acr_values: role })
    expect(ownTokens.claims()).toMatchObject({ acr: role })
  })
})

describe('a hostile sequence', () => {
  const strict = () => createRole({ firstFactor: ['credentials'], secondFactor: ['sms_code'] })

  test('switching the schema between steps removes nothing, and adds what the new one requires', async () => {
    const weak = await createSchema(['credentials'])
    const mail = await createSchema(['credentials'], ['email_code'])
    const user = await createUser({ roles: [await strict()] })
    const browser = new Browser()
    const weakWay = await sentToSignIn(running, browser.copy(), config, { acr_values: weak })
    const mailWay = await sentToSignIn(running, browser, config, { acr_values: mail })
    await begin(browser, user.login, 'login', { path: mailWay.path })
    const first = await prove(browser, user.login, { password, path: weakWay.path })
    expect(first.body).toEqual({ next: 'second_factor', flows: ['sms_code'] })
    // the requested schema of the path that the last step names
    const body = { flow: 'sms_code', login: user.login }
    await browser.send(code, 'POST', { params: { idAttribute: 'login' }, body })
    const digits = await lastCodeTo(user.mobile)
    const second = await prove(browser, user.login, { flow: 'sms_code', code: digits, path: `${mailWay.path}?x=1` })
    expect(second.body).toEqual({ next: 'second_factor', flows: ['email_code'] })
    expect(await signedInStatus(browser)).toBe(401)
  })

  test('beginning again with another schema requires both factors again', async () => {
    const weak = await createSchema(['credentials'])
    const user = await createUser({ roles: [await strict()] })
    const browser = new Browser()
    const { path } = await sentToSignIn(running, browser, config, { acr_values: weak })
    const ways: Record<string, string>[] = [{ path }, {}, { path: '/platform/profile' }]
    for (const query of ways) {
      await begin(browser, user.login, 'login', query)
      const terms = { flow: 'sms_code', code: '0000', termsAgree: [] }
      expect((await prove(browser, user.login, terms)).body).toMatchObject({ data: { errorList: [{ field: 'flow' }] } })
      expect((await prove(browser, user.login, { password })).body).toMatchObject({ next: 'second_factor' })
    }
    expect(await signedInStatus(browser)).toBe(401)
  })

  test('a schema that is made stricter between the steps applies from then on', async () => {
    const role = await createRole({ firstFactor: ['credentials'] })
    const user = await createUser({ roles: [role] })
    const browser = new Browser()
    await begin(browser, user.login)
    await changeSchema(role, { secondFactor: ['sms_code'] })
    expect((await prove(browser, user.login, { password })).body).toEqual({
      next: 'second_factor',
      flows: ['sms_code'],
    })
    await changeSchema(role, { secondFactor: ['email_code'] })
    // open flows stay open, but they aren't enough
    expect((await proveCode(browser, user, 'sms_code')).body).toEqual({ next: 'second_factor', flows: ['email_code'] })
    expect((await proveCode(browser, user, 'email_code')).body).toMatchObject({ next: 'done' })
  })

  test('a schema that is made weaker between the steps still requires what it did', async () => {
    const role = await createRole({ firstFactor: ['credentials'], secondFactor: ['sms_code'] })
    const user = await createUser({ roles: [role] })
    const browser = new Browser()
    await begin(browser, user.login)
    await changeSchema(role, { secondFactor: [] })
    expect((await prove(browser, user.login, { password })).body).toMatchObject({ next: 'second_factor' })
    expect(await signedInStatus(browser)).toBe(401)
  })

  test('a schema that is made stricter while the person reads the terms applies before the session', async () => {
    const role = await createRole({ firstFactor: ['credentials'] })
    const user = await createUser({ roles: [role], passwordChangeRequired: true })
    const browser = new Browser()
    await begin(browser, user.login)
    expect((await prove(browser, user.login, { password })).body).toMatchObject({ next: 'set_password' })
    await changeSchema(role, { secondFactor: ['email_code'] })
    expect((await prove(browser, user.login, { termsAgree: [] })).body).toEqual({
      next: 'second_factor',
      flows: ['email_code'],
    })
    expect(await signedInStatus(browser)).toBe(401)
  })

  test('an attempt of a previous version with a lost second factor doesn’t become a session', async () => {
    const user = await createUser({ roles: [await strict()] })
    const browser = new Browser()
    await begin(browser, user.login)
    const [row] = await db().select().from(signInAttempts).where(eq(signInAttempts.userId, user.id))
    const lost = { ...(row?.state as object), second: [], secondRequired: false }
    await db().update(signInAttempts).set({ state: lost }).where(eq(signInAttempts.userId, user.id))
    expect((await prove(browser, user.login, { password })).body).toEqual({
      next: 'second_factor',
      flows: ['sms_code'],
    })
  })
})

describe('acr names only a schema that the session really meets', () => {
  async function strongly() {
    const role = await createRole({ firstFactor: ['credentials'], secondFactor: ['email_code'] })
    const user = await createUser({ roles: [role] })
    const browser = new Browser()
    await begin(browser, user.login)
    await prove(browser, user.login, { password })
    await proveCode(browser, user, 'email_code')
    return { role, user, browser }
  }

  test('not one that was made stricter since', async () => {
    const { role, browser } = await strongly()
    expect((await tokensFor(running, browser, config)).claims()).toMatchObject({ acr: role })
    await changeSchema(role, { secondFactor: ['sms_code'] })
    const claims = (await tokensFor(running, browser, config, { acr_values: role })).claims()
    expect(claims).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] })
    expect(claims).not.toHaveProperty('acr')
    const asked = JSON.stringify({ id_token: { acr: { essential: true, value: role } } })
    await sentToSignIn(running, browser, config, { claims: asked })
  })

  test('nor in the ID tokens of a refresh, and again once it is met', async () => {
    const { role, browser } = await strongly()
    let tokens = await tokensFor(running, browser, config)
    const acrAfter = async (secondFactor: string[]) => {
      await changeSchema(role, { secondFactor })
      tokens = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
      return tokens.claims()?.acr
    }
    expect(await acrAfter(['email_code'])).toBe(role)
    expect(await acrAfter(['sms_code'])).toBeUndefined()
    expect(tokens.claims()).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] })
    expect(await acrAfter(['sms_code', 'email_code'])).toBe(role)
    await changeSchema(role, { active: false })
    tokens = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(tokens.claims()).not.toHaveProperty('acr')
  })

  test('nor on a device, nor in the tokens of its refresh', async () => {
    const { role, browser } = await strongly()
    const { config: terminal } = await createClient(running, {
      redirectUris: [],
      grantTypes: [deviceGrant, 'refresh_token'],
    })
    const pages = devicePages(running)
    const signIn = async () => {
      const device = await client.initiateDeviceAuthorization(terminal, { scope: 'openid' })
      const { location } = await pages.approve(browser, device.user_code)
      if (location) await follow(running, browser, location)
      // the first poll comes after the interval, which a test need not wait for
      return () => client.pollDeviceAuthorizationGrant(terminal, { ...device, interval: 0.001 })
    }
    const tokens = await (await signIn())()
    expect(tokens.claims()).toMatchObject({ acr: role, amr: ['pwd', 'otp', 'mfa'] })
    const approved = await signIn()
    await changeSchema(role, { secondFactor: ['sms_code'] })
    expect((await approved()).claims()).not.toHaveProperty('acr')
    const fresh = await client.refreshTokenGrant(terminal, tokens.refresh_token ?? '')
    expect(fresh.claims()).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] })
    expect(fresh.claims()).not.toHaveProperty('acr')
  })

  test('nor between the authorization and the token', async () => {
    const { role, browser } = await strongly()
    const { url, verifier } = await request(config, {})
    const end = (await follow(running, browser, url)).url
    await changeSchema(role, { firstFactor: ['sms_code'] })
    const checks = { pkceCodeVerifier: verifier, expectedState: 'state' }
    expect((await client.authorizationCodeGrant(config, end, checks)).claims()).not.toHaveProperty('acr')
  })
  test('for a record without the proven factors, only what its amr proves', async () => {
    const inOrder = await createSchema(['credentials'], ['email_code'])
    const codes = await createSchema(['email_code'], ['sms_code'])
    const either = await createSchema(['email_code', 'sms_code'], ['email_code', 'sms_code'])
    const isMet = (acr: string, amr: unknown) => isStillMet(acr, { proven: undefined, amr })
    expect(await isMet(inOrder, ['pwd', 'otp', 'mfa'])).toBe(true)
    expect(await isMet(inOrder, ['otp', 'pwd', 'mfa'])).toBe(false)
    expect(await isMet(inOrder, ['pwd'])).toBe(false)
    // the text doesn't reveal which code was entered first
    expect(await isMet(codes, ['otp', 'sms', 'mfa'])).toBe(false)
    expect(await isMet(either, ['otp', 'sms', 'mfa'])).toBe(true)
    expect(await isMet(either, undefined)).toBe(false)
    expect(await isMet('unknown', ['pwd'])).toBe(false)
    // nobody has to guess for a person who has proven who they are
    expect(await isStillMet(codes, { proven: ['email_code', 'sms_code'], amr: ['otp', 'sms', 'mfa'] })).toBe(true)
    expect(await isStillMet(either, { proven: [], amr: ['otp', 'sms', 'mfa'] })).toBe(false)
  })
})
