import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, messages, users } from '@/db/schema'
import { redis } from '@/lib/base/redis/redis'
import { checkProvider, enableProvider, readProvider } from '@/lib/directory-sync/providers/contract'
import { signInStep } from '@/lib/sign-in/attempts/service'
import { listSignIns } from '@/lib/sign-in/sign-in-log/contract'
import { domainByHost } from '@/lib/site/domains/service'
import { signedInAsAdministrator, signedInWith } from '../../factories/access'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { Caller, callerFor } from '../../factories/caller'
import { ask, passResend } from '../../factories/codes'
import { createAgreement, createDomain } from '../../factories/domains'
import { contextOf } from '../../factories/invitations'
import { lastCodeTo } from '../../factories/messages'
import { startOpenidProvider } from '../../factories/openid-imitation'
import {
  accountsOf as accountsAt,
  beginAt,
  comeBack,
  connectProvider,
  openidProviderFor,
  refusedFor,
  sessionsOf,
  signInAt,
  somebody,
} from '../../factories/openid-provider'
import { begin, prove, signedInStatus } from '../../factories/sign-in'
import { codeOf } from '../../factories/totp'
import { createRole, createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let administrator: Caller
/** Who may claim mail domains. */
const chief = async () => new Caller((await signedInAsAdministrator()).browser)
let reader: Caller
let openid: Awaited<ReturnType<typeof startOpenidProvider>>
let id = ''
beforeAll(async () => {
  administrator = new Caller((await signedInWith(['providers.write'])).browser)
  reader = await callerFor(listSignIns)
  openid = await startOpenidProvider()
  id = await connectProvider(await chief(), openid)
})
beforeEach(async () => {
  await redis().flushdb()
  openid.idToken = (claims) => claims
  openid.broken = () => undefined
  openid.userinfo = {}
})

const accountsOf = (sub: string, providerId = id) => accountsAt(providerId, sub)
const logged = async (filter: object) =>
  (await reader.call(listSignIns, { query: { filter } })).signIns.map(({ success, cause, flows, provider, user }) => ({
    ...{ success, cause, flows },
    provider: provider?.id,
    user: user?.id,
  }))

describe('the first sign-in through an OpenID provider', () => {
  test('makes an account of what its mappers fill, and signs in to it; the second finds it again', async () => {
    const claims = somebody()
    const browser = new Browser()
    expect(await signInAt(browser, id, openid, claims)).toBe('/platform/profile')
    expect(await signedInStatus(browser)).toBe(200)
    const [account] = await accountsOf(claims.sub)
    expect(account).toMatchObject({
      login: claims.preferred_username,
      email: claims.email,
      lastName: 'Входова',
      firstName: 'Вера',
      passwordHash: null,
    })
    expect(account?.emailVerifiedAt).not.toBeNull()
    expect(await sessionsOf(claims.sub)).toMatchObject([{ userId: account?.id, providerId: id }])
    const rows = await db()
      .select({ type: history.type })
      .from(history)
      .where(and(eq(history.entity, 'users'), eq(history.entityId, account?.id ?? '')))
    expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(['create', 'login']))

    await signInAt(new Browser(), id, openid, claims)
    expect(await accountsOf(claims.sub)).toHaveLength(1)
    expect(await logged({ userId: account?.id })).toEqual([
      { success: true, cause: null, flows: ['provider'], provider: id, user: account?.id },
      { success: true, cause: null, flows: ['provider'], provider: id, user: account?.id },
    ])
  })

  test('asks userinfo for what the ID token leaves out, and takes nothing of another subject from there', async () => {
    const { email, email_verified, ...claims } = somebody()
    openid.userinfo = { email, email_verified }
    expect(await signInAt(new Browser(), id, openid, claims as never)).toBe('/platform/profile')
    expect((await accountsOf(claims.sub))[0]?.email).toBe(email)
    const other = somebody()
    openid.userinfo = { sub: claims.sub }
    expect(refusedFor(await signInAt(new Browser(), id, openid, other))).toBe('answer')
    expect(await accountsOf(other.sub)).toEqual([])
  })

  test('takes an e-mail that the provider hasn’t proven for none, unless the provider claims its domain', async () => {
    const unproven = somebody({ email_verified: false })
    // an account needs an e-mail, and this one is nobody's yet
    expect(refusedFor(await signInAt(new Browser(), id, openid, unproven))).toBe('data')
    expect(await accountsOf(unproven.sub)).toEqual([])
    const other = await startOpenidProvider()
    const claiming = await connectProvider(await chief(), other, { emailDomains: ['claimed.example'] })
    const { email_verified: _, ...claimed } = somebody({ email: `${crypto.randomUUID()}@claimed.example` })
    await signInAt(new Browser(), claiming, other, claimed as never)
    expect((await accountsOf(claimed.sub, claiming))[0]?.email).toBe(claimed.email)
  })

  test('says what is missing, and makes nothing', async () => {
    const { preferred_username: _, email: __, ...claims } = somebody()
    expect(refusedFor(await signInAt(new Browser(), id, openid, claims as never))).toBe('data')
    expect(await accountsOf(claims.sub)).toEqual([])
    expect(await logged({ providerId: id, cause: ['providerData'] })).toContainEqual({
      ...{ success: false, cause: 'providerData', flows: ['provider'], provider: id, user: undefined },
    })
  })

  test('never takes over an account by its e-mail or login, not even a proven one: an administrator’s stays theirs', async () => {
    const { user } = await signedInWith(['users.write', 'providers.write'])
    const [before] = await db().select().from(users).where(eq(users.id, user.id))
    const namesake = somebody({ email: before?.email })
    for (const claims of [
      namesake,
      somebody({ preferred_username: before?.login }),
      somebody({ sub: user.id, email: before?.email }),
    ]) {
      const browser = new Browser()
      expect(refusedFor(await signInAt(browser, id, openid, claims))).toBe('taken')
      expect(await signedInStatus(browser)).toBe(401)
      expect(await accountsOf(claims.sub)).toEqual([])
      expect(await sessionsOf(claims.sub)).toEqual([])
    }
    expect((await db().select().from(users).where(eq(users.id, user.id)))[0]).toEqual(before)
  })

  test('in 30 browsers at once makes one account', async () => {
    const claims = somebody()
    const ends = await thirty(() => signInAt(new Browser(), id, openid, claims))
    expect(new Set(ends)).toEqual(new Set(['/platform/profile']))
    expect(await accountsOf(claims.sub)).toHaveLength(1)
    expect(await sessionsOf(claims.sub)).toHaveLength(30)
  })
})

/** Somebody signed in who holds these methods. */
const holding = async (methods: string[]) => new Caller((await signedInWith(methods)).browser)

/** A provider of a directory, whose people are there already. */
async function realm() {
  const provider = await startOpenidProvider()
  const { root } = provider
  provider.path = '/realms/staff'
  const at = { type: 'keycloak', url: root, realm: 'staff', scopes: [] }
  return { provider, providerId: await connectProvider(administrator, provider, at) }
}
const keptBy = async (providerId: string, wishes: Parameters<typeof createUser>[0] = {}) => {
  const externalId = crypto.randomUUID()
  return { ...(await createUser({ ...wishes, providerId, externalId })), externalId }
}

describe('a directory account', () => {
  test('signs in at its provider, by its external id alone, and its password here is worth nothing', async () => {
    const { provider, providerId } = await realm()
    const user = await keptBy(providerId)
    const browser = new Browser()
    await begin(browser, user.login)
    expect(await prove(browser, user.login, { password })).toMatchObject({
      status: 400,
      body: { code: 'signInFailed' },
    })
    expect(await signInAt(browser, providerId, provider, { sub: user.externalId })).toBe('/platform/profile')
    expect(await signedInStatus(browser)).toBe(200)
    expect(provider.asked).not.toContain('/userinfo')
  })

  test('gets no code here before its provider has proven it, and is told the same as everybody', async () => {
    const { providerId } = await realm()
    const role = await createRole({ firstFactor: ['email_code'], secondFactor: [] })
    const [ofProvider, ofPlatform] = [await keptBy(providerId, { roles: [role] }), await createUser({ roles: [role] })]
    const asked = []
    for (const { login } of [ofProvider, ofPlatform]) {
      const browser = new Browser()
      await begin(browser, login)
      const { status, body } = await ask(browser, login, 'email_code')
      asked.push([status, Object.keys(body).sort(), await signedInStatus(browser)])
    }
    expect(asked[0]).toEqual(asked[1])
    expect(await lastCodeTo(ofPlatform.email)).toMatch(/^\d+$/)
    expect(await db().$count(messages, eq(messages.userId, ofProvider.id))).toBe(0)
    // as soon as nobody can sign in there, the code is the way in again
    const keeper = await holding(['providers.write'])
    await keeper.call(enableProvider, { params: { id: providerId }, body: { enabled: false } })
    const browser = new Browser()
    await begin(browser, ofProvider.login)
    await passResend()
    await ask(browser, ofProvider.login, 'email_code')
    expect(
      await prove(browser, ofProvider.login, { flow: 'email_code', code: await lastCodeTo(ofProvider.email) }),
    ).toMatchObject({
      body: { next: 'done' },
    })
  })

  test('of somebody whom the synchronization hasn’t brought isn’t made', async () => {
    const { provider, providerId } = await realm()
    const claims = somebody()
    expect(refusedFor(await signInAt(new Browser(), providerId, provider, claims))).toBe('stranger')
    expect(await accountsOf(claims.sub, providerId)).toEqual([])
    expect(await logged({ providerId })).toMatchObject([{ cause: 'providerStranger' }])
  })

  test('that is disabled, or whose provider is, stays outside; switched off between button and answer too', async () => {
    const { provider, providerId } = await realm()
    const disabled = await keptBy(providerId, { enabled: false })
    expect(refusedFor(await signInAt(new Browser(), providerId, provider, { sub: disabled.externalId }))).toBe(
      'blocked',
    )
    expect(await logged({ userId: disabled.id })).toMatchObject([{ cause: 'disabled', provider: providerId }])
    const user = await keptBy(providerId)
    const browser = new Browser()
    const callback = provider.agree(await beginAt(browser, providerId), { sub: user.externalId })
    const keeper = await holding(['providers.write'])
    await keeper.call(enableProvider, { params: { id: providerId }, body: { enabled: false } })
    expect(refusedFor(await comeBack(browser, providerId, callback))).toBe('off')
    expect(refusedFor(await beginAt(browser, providerId))).toBe('off')
    expect(await sessionsOf(user.externalId)).toEqual([])
  })
})

describe('the steps of every sign-in', () => {
  test('ask for the second factor of the person’s schema', async () => {
    const { provider, providerId } = await realm()
    const role = await createRole({ firstFactor: ['credentials'], secondFactor: ['email_code', 'sms_code'] })
    const user = await keptBy(providerId, { roles: [role] })
    const browser = new Browser()
    expect(await signInAt(browser, providerId, provider, { sub: user.externalId })).toBe('/platform/login?')
    expect(await signedInStatus(browser)).toBe(401)
    expect(await prove(browser, user.login, { password })).toMatchObject({ status: 400 })
    await ask(browser, user.login, 'email_code')
    const code = await lastCodeTo(user.email)
    expect(await prove(browser, user.login, { flow: 'email_code', code })).toMatchObject({ body: { next: 'done' } })
    expect(await sessionsOf(user.externalId)).toMatchObject([{ userId: user.id, providerId }])
    expect((await logged({ userId: user.id, success: true }))[0]).toMatchObject({
      flows: ['provider', 'email_code'],
      provider: providerId,
    })
    // switched off while somebody is at the second factor
    const between = await keptBy(providerId, { roles: [role] })
    const late = new Browser()
    await signInAt(late, providerId, provider, { sub: between.externalId })
    await ask(late, between.login, 'email_code')
    const lateCode = await lastCodeTo(between.email)
    const keeper = await holding(['providers.write'])
    await keeper.call(enableProvider, { params: { id: providerId }, body: { enabled: false } })
    expect(await prove(late, between.login, { flow: 'email_code', code: lateCode })).toMatchObject({
      status: 400,
      body: { code: 'attemptExpired' },
    })
    expect(await sessionsOf(between.externalId)).toEqual([])
    await keeper.call(enableProvider, { params: { id: providerId }, body: { enabled: true } })
    const unreachable = await keptBy(providerId, { roles: [role], email: null, mobile: null })
    expect(refusedFor(await signInAt(new Browser(), providerId, provider, { sub: unreachable.externalId }))).toBe(
      'noFlows',
    )
  })

  test('let a person set up an authenticator app that the schema asks for', async () => {
    const { provider, providerId } = await realm()
    const role = await createRole({ firstFactor: ['credentials'], secondFactor: ['totp'] })
    const user = await keptBy(providerId, { roles: [role] })
    const browser = new Browser()
    expect(await signInAt(browser, providerId, provider, { sub: user.externalId })).toBe('/platform/login?')
    const [email, login] = [user.email ?? '', user.login]
    await ask(browser, login)
    await prove(browser, login, { flow: 'email_code', code: await lastCodeTo(email) })
    const step = await signInStep(await contextOf(browser))
    const key = step && 'newApp' in step ? String(step.newApp?.key) : ''
    expect(await prove(browser, login, { flow: 'totp', code: codeOf(key) })).toMatchObject({ body: { next: 'done' } })
  })

  test('ask for the terms, and take them without another proof', async () => {
    const host = `${await createDomain({ agreement: await createAgreement() })}:3000`
    const { id: domainId } = await domainByHost(host)
    const termsId = await connectProvider(administrator, openid, { domains: [domainId] })
    const claims = somebody()
    const browser = new Browser(host)
    expect(await signInAt(browser, termsId, openid, claims)).toBe('/platform/login?')
    expect(await signedInStatus(browser)).toBe(401)
    const [account] = await accountsOf(claims.sub, termsId)
    const { status, body } = await prove(browser, account?.login ?? '', {})
    expect(status).toBe(403)
    const [term] = (body.data as { termsRequired: { id: string; version: number }[] }).termsRequired
    const termsAgree = [{ type: term?.id, agree: true, version: term?.version }]
    expect(await prove(browser, account?.login ?? '', { termsAgree })).toMatchObject({ body: { next: 'done' } })
    expect(await signedInStatus(browser)).toBe(200)
    // the other domains don't offer it
    expect(refusedFor(await beginAt(new Browser(), termsId))).toBe('off')
  })

  test('lead on to where the person was going, and to nowhere else', async () => {
    const claims = somebody()
    const go = async (path: string) => {
      const browser = new Browser()
      return comeBack(browser, id, openid.agree(await beginAt(browser, id, { path }), claims))
    }
    expect(await go('/platform/profile/sessions')).toBe('/platform/profile/sessions')
    for (const path of [
      '//evil.example',
      'https://evil.example/',
      '/\\evil.example',
      '/platform/../../evil',
      '/%2f/evil.example',
    ])
      expect(await go(path), path).toBe('/platform/profile')
  })

  test('go on without the provider: it is down, slow with sense, or floods', async () => {
    const down = await startOpenidProvider()
    const downId = await connectProvider(administrator, down)
    for (const broken of ['hang up', 500, 'flood'] as const) {
      down.broken = () => broken
      expect(refusedFor(await beginAt(new Browser(), downId)), String(broken)).toBe('down')
    }
    down.broken = () => undefined
    const browser = new Browser()
    const callback = down.agree(await beginAt(browser, downId), somebody())
    down.broken = (path) => (path === '/token' ? 'hang up' : undefined)
    expect(refusedFor(await comeBack(browser, downId, callback))).toBe('down')
    expect((await logged({ providerId: downId })).every(({ cause }) => cause === 'providerDown')).toBe(true)
    const user = await createUser()
    await begin(browser, user.login)
    expect(await prove(browser, user.login, { password })).toMatchObject({ status: 200 })
  })

  test('say what the provider said: canceled, refused, busy', async () => {
    for (const [error, refusal] of [
      ['access_denied', 'canceled'],
      ['temporarily_unavailable', 'down'],
      ['unauthorized_client', 'denied'],
    ] as const) {
      const browser = new Browser()
      const asking = await beginAt(browser, id)
      expect(refusedFor(await comeBack(browser, id, openid.back(asking, { error }))), error).toBe(refusal)
    }
  })
})

describe('the check of an OpenID provider', () => {
  test('finds it, and proves the client to it', async () => {
    const { name: _, scopes: __, ...body } = openidProviderFor(openid)
    expect(await administrator.call(checkProvider, { body })).toEqual({ status: 'success', people: null })
    const codeOf = async (more: object) =>
      ((await administrator.send(checkProvider, { body: { ...body, ...more } })).body as { code: string }).code
    expect(await codeOf({ clientSecret: 'another' })).toBe('providerSecret')
    expect(await codeOf({ url: `${openid.root}/elsewhere` })).toBe('providerConnection')
    openid.broken = () => 'flood'
    expect(await codeOf({})).toBe('providerConnection')
  })

  test('is beside the addresses to which it sends people back: those of the domains that offer it', async () => {
    const { provider } = await administrator.call(readProvider, { params: { id } })
    expect(provider.redirects).toEqual([`http://localhost:3000/api/v1/platform/auth/providers/${id}/callback`])
    const asking = new URL(await beginAt(new Browser(), id))
    expect(asking.searchParams.get('redirect_uri')).toBe(provider.redirects[0])
    expect(asking.searchParams.get('code_challenge_method')).toBe('S256')
    expect(asking.searchParams.get('scope')).toBe('openid profile email')
  })
})
