import { and, eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { applications, history, oidcClients, oidcConsents, oidcLogouts, oidcRecords } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import type { UserApplication } from '@/lib/openid/consents/contract'
import { listUserApplications, withdrawUserApplication } from '@/lib/openid/consents/contract'
import en from '@/messages/en/consent.json'
import ru from '@/messages/ru/consent.json'
import type { Browser } from '../../factories/browser'
import { createClient, follow, formAction, redirectUri, request, startProvider, submit } from '../../factories/oidc'
import { signedIn } from '../../factories/oidc-flows'
import { handlerOf } from '../../factories/routes'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const withdraw = handlerOf(withdrawUserApplication)
const list = handlerOf(listUserApplications)

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

type Sent = Awaited<ReturnType<typeof request>>

/** Continues from the answer of our page to the application. */
async function answer(browser: Browser, body: string, decision: 'allow' | 'refuse') {
  const sent = await submit(running, browser, formAction(body), { decision })
  expect(sent.status).toBe(303)
  return follow(running, browser, sent.headers.get('location') ?? '')
}

const tokensAt = (config: client.Configuration, end: URL, { verifier }: Sent) =>
  client.authorizationCodeGrant(config, end, { pkceCodeVerifier: verifier, expectedState: 'state' })

const consentsOf = (userId: string) =>
  db()
    .select({ clientId: oidcClients.clientId, scopes: oidcConsents.scopes })
    .from(oidcConsents)
    .innerJoin(oidcClients, eq(oidcClients.id, oidcConsents.clientId))
    .where(eq(oidcConsents.userId, userId))

type Words = { consent: { scopes: Record<string, { name: string }> } }
const asks = (body: string, words: Words) =>
  Object.entries(words.consent.scopes).flatMap(([scope, { name }]) => (body.includes(`<b>${name}</b>`) ? [scope] : []))

describe('an external application', () => {
  test('gets nothing that the page doesn’t name', async () => {
    const { config } = await createClient(running, { external: true })
    const { browser } = await signedIn()
    const { scopes_supported: all = [] } = config.serverMetadata()
    const { url } = await request(config, { scope: all.join(' '), prompt: 'consent' })
    const page = await follow(running, browser, url)
    expect(asks(page.body, ru).sort()).toEqual(all.toSorted())
  })

  test('gets what the person allowed, and doesn’t ask again', async () => {
    const { config, clientId } = await createClient(running, { external: true })
    const { user, browser } = await signedIn()
    const first = await request(config, { scope: 'openid profile email offline_access', prompt: 'consent' })
    const page = await follow(running, browser, first.url)
    expect([page.status, page.url.pathname]).toEqual([200, expect.stringContaining('/platform/interaction/')])
    expect(page.body).toContain('app.example')
    expect(page.body).toContain('Учёт')
    expect(asks(page.body, ru)).toEqual(['openid', 'profile', 'email', 'offline_access'])
    // opening the page grants nothing
    expect(await consentsOf(user.id)).toEqual([])

    const { url: end } = await answer(browser, page.body, 'allow')
    const tokens = await tokensAt(config, end, first)
    expect(tokens.claims()).toMatchObject({ sub: user.id, preferred_username: user.login, email: user.email })
    expect(tokens.refresh_token).toBeDefined()
    expect(await consentsOf(user.id)).toEqual([{ clientId, scopes: ['email', 'offline_access', 'openid', 'profile'] }])
    const rows = await db()
      .select()
      .from(history)
      .where(and(eq(history.entity, 'consents'), eq(history.changerId, user.id)))
    expect(rows.map(({ type, field, current }) => [type, field, current])).toEqual(
      expect.arrayContaining([
        ['create', 'client', clientId],
        ['create', 'scopes', ['email', 'offline_access', 'openid', 'profile']],
      ]),
    )

    const again = await request(config, { scope: 'openid profile' })
    const { url: straight } = await follow(running, browser, again.url)
    expect(straight.href).toContain(redirectUri)
    const fewer = await tokensAt(config, straight, again)
    expect(fewer.claims()).not.toHaveProperty('email')
    // offline access needs consent each time
    expect(fewer.refresh_token).toBeUndefined()
  })

  test('asks again only for new scopes, which are added to the old ones', async () => {
    const { config, clientId } = await createClient(running, { external: true })
    const { user, browser } = await signedIn()
    browser.cookies.set('locale', 'en')
    const first = await request(config, { scope: 'openid profile' })
    await answer(browser, (await follow(running, browser, first.url)).body, 'allow')

    const second = await request(config, { scope: 'openid profile phone' })
    const page = await follow(running, browser, second.url)
    expect(page.body).toContain(en.consent.asksMore)
    expect(page.body).toContain('Ledger')
    expect(asks(page.body, en)).toEqual(['phone'])
    const { url: end } = await answer(browser, page.body, 'allow')
    expect((await tokensAt(config, end, second)).claims()).toMatchObject({ phone_number: user.mobile })
    expect(await consentsOf(user.id)).toEqual([{ clientId, scopes: ['openid', 'phone', 'profile'] }])

    const third = await request(config, { scope: 'openid phone', prompt: 'consent' })
    expect(asks((await follow(running, browser, third.url)).body, en)).toEqual(['openid', 'phone'])
  })

  test('that the person refuses gets an error, and nothing is stored', async () => {
    const { config } = await createClient(running, { external: true })
    const { user, browser } = await signedIn()
    const { url } = await request(config, { scope: 'openid email' })
    const { url: end } = await answer(browser, (await follow(running, browser, url)).body, 'refuse')
    expect(end.href).toContain(redirectUri)
    expect(end.searchParams.get('error')).toBe('access_denied')
    expect(await consentsOf(user.id)).toEqual([])
  })

  test('gets consent_required if nobody may be asked', async () => {
    const { config } = await createClient(running, { external: true })
    const { browser } = await signedIn()
    const ownClient = await createClient(running)
    await follow(running, browser, (await request(ownClient.config)).url)
    const { url } = await request(config, { prompt: 'none' })
    const { url: end } = await follow(running, browser, url)
    expect(end.searchParams.get('error')).toBe('consent_required')
  })

  test('gets nothing more when an own application becomes external and has no consent', async () => {
    const { config, application } = await createClient(running, {
      secret: 'a secret of forty-three characters or thereabouts',
    })
    const { user, browser } = await signedIn()
    const first = await request(config)
    const tokens = await tokensAt(config, (await follow(running, browser, first.url)).url, first)
    await db().update(applications).set({ type: 'external' }).where(eq(applications.id, application.id))
    dropCached('oidc-clients')
    await expect(client.fetchUserInfo(config, tokens.access_token, user.id)).rejects.toThrow()
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    // and going back leads to the question
    const again = await request(config, { scope: 'openid email' })
    const page = await follow(running, browser, again.url)
    const { url: end } = await answer(browser, page.body, 'allow')
    const fewer = await tokensAt(config, end, again)
    expect(await client.fetchUserInfo(config, fewer.access_token, user.id)).not.toHaveProperty('roles')
    expect(fewer.refresh_token).toBeUndefined()
  })
})

test('an application of the company asks nobody, not even with prompt=consent', async () => {
  const { config } = await createClient(running)
  const { user, browser } = await signedIn()
  const asked = await request(config, { prompt: 'consent' })
  const { url: end } = await follow(running, browser, asked.url)
  expect((await tokensAt(config, end, asked)).claims()).toMatchObject({ sub: user.id })
  expect(await consentsOf(user.id)).toEqual([])
})

describe('the answer to the question', () => {
  test('counts only from our own page, in that browser and from that person', async () => {
    const { config } = await createClient(running, { external: true })
    const { user, browser } = await signedIn()
    const { url } = await request(config, { scope: 'openid email' })
    const page = await follow(running, browser, url)
    const action = formAction(page.body)
    const allow = { decision: 'allow' }
    const elsewhere: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': '', origin: 'https://evil.example' },
      { 'sec-fetch-site': '', origin: 'null' },
    ]
    for (const headers of elsewhere)
      expect((await submit(running, browser, action, allow, headers)).status, JSON.stringify(headers)).toBe(403)

    const { browser: other } = await signedIn()
    expect((await submit(running, other, action, allow)).status).toBe(400)

    // a GET of the same address asks again
    const look = await follow(running, browser, action)
    expect({ status: look.status, scopes: asks(look.body, ru) }).toEqual({ status: 200, scopes: ['openid', 'email'] })

    // meanwhile somebody else signed in with this browser
    const swapped = browser.copy()
    await signInByPassword(swapped, (await createUser()).login, password)
    expect((await submit(running, swapped, action, allow)).status).toBe(400)
    expect(await consentsOf(user.id)).toEqual([])
  })

  test('shows a hostile name as text', async () => {
    const { config, application } = await createClient(running, { external: true })
    const name = '<script>alert(1)</script>"\'&'
    await db().update(applications).set({ name, url: 'javascript:alert(1)' }).where(eq(applications.id, application.id))
    dropCached('oidc-clients')
    const { browser } = await signedIn()
    const { url } = await request(config, { scope: 'openid' })
    const { body } = await follow(running, browser, url)
    expect(body).toContain('alert(1)')
    expect(body).not.toContain('<script')
    expect(body).not.toContain('javascript:')
  })
})

describe('applications with access', () => {
  const applicationsOf = async (browser: Browser, query: Record<string, string> = {}) => {
    const { status, body } = await browser.send(list, 'GET', { query })
    expect(status, JSON.stringify(body)).toBe(200)
    return body.applications as UserApplication[]
  }
  const withdrawAt = (browser: Browser, applicationId: string) =>
    browser.send(withdraw, 'DELETE', { params: { applicationId } })
  const secret = 'a secret of forty-three characters or thereabouts'

  /** A person who uses an external application and one of the company. */
  async function using() {
    const { user, browser } = await signedIn()
    const other = await createClient(running, {
      external: true,
      secret,
      backchannelLogoutUri: 'https://app.example/backchannel',
    })
    const asked = await request(other.config, { scope: 'openid email offline_access', prompt: 'consent' })
    const { url: end } = await answer(browser, (await follow(running, browser, asked.url)).body, 'allow')
    const tokens = await tokensAt(other.config, end, asked)
    const ownClient = await createClient(running)
    const sent = await request(ownClient.config)
    const ownTokens = await tokensAt(ownClient.config, (await follow(running, browser, sent.url)).url, sent)
    return { user, browser, other, ownClient, tokens, ownTokens }
  }

  test('are those that have access to data of the person now, external ones first', async () => {
    const { user, browser, other, ownClient } = await using()
    const listed = await applicationsOf(browser)
    expect(listed).toEqual([
      {
        id: other.application.id,
        name: 'Учёт',
        nameEn: 'Ledger',
        url: 'https://app.example/',
        type: 'external',
        scopes: ['email', 'offline_access', 'openid'],
        since: expect.any(String),
        lastUsed: expect.any(String),
      },
      expect.objectContaining({ id: ownClient.application.id, type: 'own', scopes: expect.arrayContaining(['roles']) }),
    ])
    expect(await applicationsOf(browser, { 'filter[type]': 'own' })).toHaveLength(1)
    expect(await applicationsOf(browser, { 'filter[search]': 'LEDG' })).toHaveLength(2)
    expect(await applicationsOf(browser, { 'filter[search]': '%' })).toEqual([])
    expect(await applicationsOf((await signedIn()).browser)).toEqual([])
    // what was given without being asked for ends with its time, a consent when it is withdrawn
    const past = new Date(Date.now() - 1000)
    await db().update(oidcRecords).set({ expiresAt: past }).where(eq(oidcRecords.accountId, user.id))
    expect((await applicationsOf(browser)).map(({ id }) => id)).toEqual([other.application.id])
  })

  test('lose all sessions at once, and are notified', async () => {
    const { user, browser, other, tokens, ownClient, ownTokens } = await using()
    expect((await withdrawAt(browser, other.application.id)).status).toBe(200)

    await expect(client.fetchUserInfo(other.config, tokens.access_token, user.id)).rejects.toThrow()
    expect(await client.tokenIntrospection(other.config, tokens.access_token)).toEqual({ active: false })
    await expect(client.refreshTokenGrant(other.config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    const remaining = await db()
      .select()
      .from(oidcRecords)
      .where(and(eq(oidcRecords.accountId, user.id), eq(oidcRecords.clientId, other.clientId)))
    expect(remaining).toEqual([])
    expect(await consentsOf(user.id)).toEqual([])
    expect(await db().select().from(oidcLogouts).where(eq(oidcLogouts.accountId, user.id))).toMatchObject([
      { clientId: other.clientId, sid: expect.any(String) },
    ])
    const rows = await db()
      .select()
      .from(history)
      .where(and(eq(history.entity, 'consents'), eq(history.type, 'delete'), eq(history.changerId, user.id)))
    expect(rows.map(({ field, previous }) => [field, previous])).toEqual(
      expect.arrayContaining([
        ['application', 'Учёт'],
        ['scopes', ['email', 'offline_access', 'openid']],
      ]),
    )
    // the other application continues, the person stays signed in, and going back leads to the question
    expect(await client.fetchUserInfo(ownClient.config, ownTokens.access_token, user.id)).toMatchObject({
      sub: user.id,
    })
    expect((await applicationsOf(browser)).map(({ id }) => id)).toEqual([ownClient.application.id])
    expect((await withdrawAt(browser, other.application.id)).status).toBe(404)
    const again = await request(other.config, { scope: 'openid email' })
    expect(asks((await follow(running, browser, again.url)).body, ru)).toEqual(['openid', 'email'])
  })

  test('of the company get access again without consent', async () => {
    const { user, browser, ownClient, ownTokens } = await using()
    expect((await withdrawAt(browser, ownClient.application.id)).status).toBe(200)
    await expect(client.refreshTokenGrant(ownClient.config, ownTokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    const again = await request(ownClient.config)
    const fresh = await tokensAt(ownClient.config, (await follow(running, browser, again.url)).url, again)
    expect(await client.fetchUserInfo(ownClient.config, fresh.access_token, user.id)).toMatchObject({ sub: user.id })
  })

  test('are withdrawn once by parallel requests', async () => {
    const { browser, other } = await using()
    const answers = await Promise.all(Array.from({ length: 8 }, () => withdrawAt(browser, other.application.id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)])
  })

  test('can’t use a code that was issued before', async () => {
    const { browser, ownClient } = await using()
    const asked = await request(ownClient.config)
    const { url: end } = await follow(running, browser, asked.url)
    await withdrawAt(browser, ownClient.application.id)
    await expect(tokensAt(ownClient.config, end, asked)).rejects.toMatchObject({ error: 'invalid_grant' })
  })
})
