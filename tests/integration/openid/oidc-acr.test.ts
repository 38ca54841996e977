import { eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { authenticationSchemas, roles, userRoles } from '@/db/schema'
import { systemicMethods } from '@/lib/base/access/access-methods'
import { dropCached } from '@/lib/base/cache/cache'
import { authCode } from '@/lib/sign-in/attempts/contract'
import { createAuthenticationSchema } from '@/lib/sign-in/schema-administration/contract'
import { signedInWith } from '../../factories/access'
import { sentToSignIn as sent, tokensAfter } from '../../factories/acr'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { lastCodeTo } from '../../factories/messages'
import { createClient, follow, request, startProvider } from '../../factories/oidc'
import { signedIn, tokensFor } from '../../factories/oidc-flows'
import { startOpenidProvider } from '../../factories/openid-imitation'
import { accountsOf, connectProvider, signInAt, somebody } from '../../factories/openid-provider'
import { challengeOf, giveKey } from '../../factories/passkey'
import { handlerOf } from '../../factories/routes'
import { begin, prove } from '../../factories/sign-in'
import { createRole, createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const code = handlerOf(authCode)

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
let config: client.Configuration
/** The default schema, and one with a second factor. */
let base: string
const strong = 'strong'

beforeAll(async () => {
  running = await startProvider()
  const { config: made } = await createClient(running)
  config = made
  const schemas = await db().select().from(authenticationSchemas)
  base = schemas.find((schema) => schema.base)?.code ?? ''
  const values = { name: strong, firstFactor: ['credentials', 'email_code'], secondFactor: ['email_code'] }
  await db()
    .insert(authenticationSchemas)
    .values({ code: strong, priority: 1000, ...values })
  dropCached('authentication-schemas')
})
afterAll(() => running.stop())

const essential = (...values: string[]) => JSON.stringify({ id_token: { acr: { essential: true, values } } })

const sentToSignIn = (browser: Browser, params: Record<string, string>) => sent(running, browser, config, params)
const claimsAfter = async (browser: Browser, path: string, verifier: string) =>
  (await tokensAfter(running, browser, config, { path, verifier })).claims()

async function byCode(browser: Browser, user: { login: string; email: string }) {
  const body = { flow: 'email_code', login: user.login }
  expect((await browser.send(code, 'POST', { params: { idAttribute: 'login' }, body })).status).toBe(200)
  return prove(browser, user.login, { flow: 'email_code', code: await lastCodeTo(user.email) })
}

describe('acr and amr', () => {
  test('name the schema and the factors of the session; discovery lists the schemas', async () => {
    const metadata = await (await fetch(running.at('/oidc/.well-known/openid-configuration'))).json()
    expect(metadata.acr_values_supported).toEqual(expect.arrayContaining([base, strong]))
    const { browser } = await signedIn()
    expect((await tokensFor(running, browser, config)).claims()).toMatchObject({ acr: base, amr: ['pwd'] })

    const role = await createRole({ firstFactor: ['credentials'], secondFactor: ['email_code'] })
    const user = await createUser({ roles: [role] })
    const twice = new Browser()
    await begin(twice, user.login)
    await prove(twice, user.login, { password })
    expect((await byCode(twice, user)).body).toMatchObject({ next: 'done' })
    const tokens = await tokensFor(running, twice, config, { acr_values: `${strong} ${base}` })
    expect(tokens.claims()).toMatchObject({ acr: strong, amr: ['pwd', 'otp', 'mfa'] })
    const fresh = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(fresh.claims()).toMatchObject({ acr: strong, amr: ['pwd', 'otp', 'mfa'] })
  })

  test('as a voluntary request change nothing for a signed-in person, and choose the schema of a sign-in', async () => {
    const { browser, user } = await signedIn()
    const tokens = await tokensFor(running, browser, config, { acr_values: `${strong} unknown` })
    expect(tokens.claims()).toMatchObject({ acr: base })

    const stranger = new Browser()
    const { path, verifier } = await sentToSignIn(stranger, { acr_values: strong })
    await begin(stranger, user.login, 'login', { path })
    expect((await prove(stranger, user.login, { password })).body).toMatchObject({ next: 'second_factor' })
    expect((await byCode(stranger, user)).body).toEqual({ next: 'done', redirect: path })
    expect(await claimsAfter(stranger, path, verifier)).toMatchObject({ acr: strong, amr: ['pwd', 'otp', 'mfa'] })
  })

  test('as an essential request require a new sign-in, which also satisfies the next request', async () => {
    const { browser, user } = await signedIn()
    const { path, verifier } = await sentToSignIn(browser, { claims: essential(strong) })
    await begin(browser, user.login, 'login', { path })
    expect((await prove(browser, user.login, { password })).body).toMatchObject({ next: 'second_factor' })
    await byCode(browser, user)
    expect(await claimsAfter(browser, path, verifier)).toMatchObject({ acr: strong, sub: user.id })
    const again = await tokensFor(running, browser, config, { claims: essential('unknown', strong), prompt: 'none' })
    expect(again.claims()).toMatchObject({ acr: strong })
    expect((await tokensFor(running, browser, config, { acr_values: base })).claims()).toMatchObject({ acr: base })
  })

  test('as an impossible essential request are refused, and nobody signs in with less', async () => {
    const { browser, user } = await signedIn()
    const errorAt = async (start: URL | string) => (await follow(running, browser, start)).url.searchParams.get('error')
    const unknown = (await request(config, { claims: essential('unknown') })).url
    expect(await errorAt(unknown)).toBe('unmet_authentication_requirements')
    const silent = (await request(config, { claims: essential(strong), prompt: 'none' })).url
    expect(await errorAt(silent)).toBe('login_required')

    // signs in without the requested factor: by the password alone
    const { path } = await sentToSignIn(browser, { claims: essential(strong) })
    await begin(browser, user.login)
    expect((await prove(browser, user.login, { password })).body).toMatchObject({ next: 'done' })
    expect(await errorAt(path)).toBe('unmet_authentication_requirements')
  })

  test('`phr` asks for a passkey, and no schema can be named so', async () => {
    const metadata = await (await fetch(running.at('/oidc/.well-known/openid-configuration'))).json()
    expect(metadata.acr_values_supported).toContain('phr')
    const role = await createRole({ firstFactor: ['credentials'] })
    const user = await createUser({ roles: [role] })
    const authenticator = await giveKey(user.id)
    const browser = new Browser()
    const { path, verifier } = await sentToSignIn(browser, { claims: essential('phr') })
    await begin(browser, user.login, 'login', { path })
    expect((await prove(browser, user.login, { password })).body).toEqual({
      next: 'second_factor',
      flows: ['passkey'],
    })
    const passkey = authenticator.sign({ challenge: await challengeOf(browser) })
    expect((await prove(browser, user.login, { flow: 'passkey', passkey })).body).toEqual({
      next: 'done',
      redirect: path,
    })
    const amr = ['pwd', 'pop', 'user', 'mfa']
    expect(await claimsAfter(browser, path, verifier)).toMatchObject({ acr: 'phr', amr })

    const administrator = new Caller((await signedInWith(systemicMethods)).browser)
    const body = { name: 'phr', firstFactor: ['credentials' as const], secondFactor: [], roles: [] }
    expect(await administrator.send(createAuthenticationSchema, { body: { ...body, code: 'phr' } })).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'code', code: 'errorUnique' }] } },
    })
    expect(await administrator.call(createAuthenticationSchema, { body })).toMatchObject({ id: expect.any(String) })
    const codes = (await db().select().from(authenticationSchemas)).map((schema) => schema.code)
    expect(codes).not.toContain('phr')
  })

  test('as a request for a weaker schema don’t weaken the person’s own schema', async () => {
    const role = await createRole({ firstFactor: ['credentials'], secondFactor: ['email_code'] })
    const user = await createUser({ roles: [role] })
    const stranger = new Browser()
    const { path } = await sentToSignIn(stranger, { acr_values: base })
    await begin(stranger, user.login, 'login', { path })
    expect((await prove(stranger, user.login, { password })).body).toMatchObject({ next: 'second_factor' })
  })

  test('leave the rest of the claims parameter ignored', async () => {
    const { browser, user } = await signedIn()
    const claims = JSON.stringify({
      userinfo: { email: { essential: true } },
      id_token: { email: null, auth_time: null },
    })
    const tokens = await tokensFor(running, browser, config, { scope: 'openid', claims })
    expect(tokens.claims()).toMatchObject({ auth_time: expect.any(Number) })
    expect(tokens.claims()).not.toHaveProperty('email')
    expect(await client.fetchUserInfo(config, tokens.access_token, user.id)).toEqual({
      sub: user.id,
      sid: tokens.claims()?.sid,
    })
  })
})

test('a sign-in through a provider names no schema, and no factor that the platform hasn’t seen itself', async () => {
  const openid = await startOpenidProvider()
  const administrator = new Caller((await signedInWith(['providers.write'])).browser)
  const id = await connectProvider(administrator, openid)
  const browser = new Browser()
  const claims = somebody()
  await signInAt(browser, id, openid, claims)
  const said = (await tokensFor(running, browser, config)).claims()
  expect([said?.acr, said?.amr]).toEqual([undefined, undefined])
  // nor does it fulfil a schema that an application must have
  const asked = await request(config, { claims: essential(base) })
  const { url } = await follow(running, browser, asked.url)
  expect(url.pathname).toBe('/platform/login')

  const role = await createRole({ firstFactor: ['credentials'], secondFactor: ['email_code'] })
  const [account] = await accountsOf(id, claims.sub)
  const [of] = await db().select({ id: roles.id }).from(roles).where(eq(roles.code, role))
  await db()
    .insert(userRoles)
    .values({ userId: account?.id ?? '', roleId: of?.id ?? '' })
  const twice = new Browser()
  await signInAt(twice, id, openid, claims)
  const body = { flow: 'email_code', login: account?.login ?? '' }
  await twice.send(code, 'POST', { params: { idAttribute: 'login' }, body })
  const proof = { flow: 'email_code' as const, code: await lastCodeTo(account?.email ?? '') }
  expect(await prove(twice, account?.login ?? '', proof)).toMatchObject({ body: { next: 'done' } })
  const more = (await tokensFor(running, twice, config)).claims()
  expect([more?.acr, more?.amr]).toEqual([undefined, ['otp']])
})
