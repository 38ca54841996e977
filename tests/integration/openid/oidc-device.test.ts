import * as client from 'openid-client'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { redis } from '@/lib/base/redis/redis'
import en from '@/messages/en/device-flow.json'
import consentRu from '@/messages/ru/consent.json'
import ru from '@/messages/ru/device-flow.json'
import oidcRu from '@/messages/ru/oidc.json'
import { Browser } from '../../factories/browser'
import { createClient, follow, formAction, startProvider, submit, visit } from '../../factories/oidc'
import { deviceGrant, devicePages, hidden } from '../../factories/oidc-device'
import { signedIn } from '../../factories/oidc-flows'
import { spellings } from '../../factories/oidc-spellings'
import { takeRedisAway } from '../../factories/redis-away'
import { begin, prove } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
let pages: ReturnType<typeof devicePages>
beforeAll(async () => {
  running = await startProvider()
  pages = devicePages(running)
})
afterAll(() => running.stop())
afterEach(async () => {
  vi.useRealTimers()
  const keys = await redis().keys('limit:device-*')
  if (keys.length > 0) await redis().del(keys)
})

const grantType = deviceGrant
const forms = ru['device-flow']

const createTerminal = (more: Parameters<typeof createClient>[1] = {}) =>
  createClient(running, { redirectUris: [], grantTypes: [grantType, 'refresh_token'], ...more })

const start = (config: client.Configuration, scope = 'openid profile') =>
  client.initiateDeviceAuthorization(config, { scope })

// the first poll comes after the interval, which a test need not wait for
const poll = (config: client.Configuration, device: client.DeviceAuthorizationResponse) =>
  client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.001 })
const ask = (config: client.Configuration, device: client.DeviceAuthorizationResponse) =>
  client.genericGrantRequest(config, grantType, { device_code: device.device_code }).then(
    () => 'tokens',
    ({ error }) => error as string,
  )

describe('signing in on a device', () => {
  test('shows who asks, and gives the device tokens once after the confirmation', async () => {
    const { config } = await createTerminal()
    const { user, browser } = await signedIn()
    const device = await start(config)
    expect(device).toMatchObject({
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: 'http://localhost:3000/oidc/device',
      interval: 5,
      expires_in: 600,
    })
    expect(await ask(config, device)).toBe('authorization_pending')
    // a copy of Redis reveals no code
    expect((await redis().keys('oidc:*')).join()).not.toContain(device.user_code.replace('-', ''))

    // without the dash and in lower case
    const asked = await pages.enter(browser, device.user_code.replace('-', '').toLowerCase())
    expect(asked.body).toContain('Учёт')
    expect(asked.body).toContain(device.user_code)
    expect(asked.body).toContain('203.0.113.9')
    expect(await ask(config, device)).toBe('slow_down')
    const sent = await pages.send(browser, asked.body, { confirm: 'yes' })
    const done = await follow(running, browser, sent.location ?? '')
    expect([done.status, done.body]).toEqual([200, expect.stringContaining(forms.done.title)])

    const tokens = await poll(config, device)
    expect(tokens.claims()).toMatchObject({ sub: user.id, preferred_username: user.login })
    expect(await client.refreshTokenGrant(config, tokens.refresh_token ?? '')).toHaveProperty('access_token')
    expect((await pages.enter(browser, device.user_code)).body).toContain(forms.errors.used)
    expect(await ask(config, device)).toBe('invalid_grant')
  })

  test('leads through the sign-in page, and continues from there', async () => {
    const { config } = await createTerminal()
    const [user, browser] = [await createUser(), new Browser()]
    const device = await start(config)
    const asked = await pages.enter(browser, device.user_code)
    const sent = await pages.send(browser, asked.body, { confirm: 'yes' })
    const page = await follow(running, browser, sent.location ?? '')
    expect(page.url.pathname).toBe('/platform/login')
    const path = page.url.searchParams.get('path') ?? ''
    await begin(browser, user.login, 'login', { path })
    expect((await prove(browser, user.login, { password })).body).toEqual({ next: 'done', redirect: path })
    const done = await follow(running, browser, path)
    expect(done.body).toContain(forms.done.title)
    expect((await poll(config, device)).claims()).toMatchObject({ sub: user.id })
  })

  test('asks for consent to an external application', async () => {
    const { config } = await createTerminal({ external: true })
    const { browser, user } = await signedIn()
    const device = await start(config, 'openid email offline_access')
    const sent = await pages.approve(browser, device.user_code)
    const page = await follow(running, browser, sent.location ?? '')
    expect(page.body).toContain(consentRu.consent.scopes.offline_access.name)
    const answer = await submit(running, browser, formAction(page.body), { decision: 'allow' })
    const done = await follow(running, browser, answer.headers.get('location') ?? '')
    expect(done.body).toContain(forms.done.title)
    const tokens = await poll(config, device)
    expect(tokens.claims()).toMatchObject({ email: user.email })
    expect(tokens.refresh_token).toBeDefined()

    const second = await start(config, 'openid email phone')
    const again = await follow(running, browser, (await pages.approve(browser, second.user_code)).location ?? '')
    const refused = await submit(running, browser, formAction(again.body), { decision: 'refuse' })
    const end = await follow(running, browser, refused.headers.get('location') ?? '')
    expect(end.body).toContain(forms.refused.title)
    expect(await ask(config, second)).toBe('access_denied')
  })

  test('is refused by the person, or because the person has no access', async () => {
    const { config } = await createTerminal({ methods: [`terminal.${Date.now()}`] })
    const { browser } = await signedIn()
    const first = await start(config)
    const asked = await pages.enter(browser, first.user_code)
    expect((await pages.send(browser, asked.body, { abort: 'yes' })).body).toContain(forms.refused.title)
    await expect(poll(config, first)).rejects.toMatchObject({ error: 'access_denied' })

    const second = await start(config)
    const page = await follow(running, browser, (await pages.approve(browser, second.user_code)).location ?? '')
    expect([page.status, page.body]).toEqual([403, expect.stringContaining(oidcRu.oidc.access.back)])
    const end = await follow(running, browser, `${page.url.pathname}/back`)
    expect(end.body).toContain(forms.refused.title)
    expect(await ask(config, second)).toBe('access_denied')
  })

  test('expires, and both the device and the person get a message', async () => {
    const { config } = await createTerminal()
    const { browser } = await signedIn()
    const device = await start(config)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 })
    expect(await ask(config, device)).toBe('expired_token')
    const late = await pages.enter(browser, device.user_code)
    expect([late.status, late.body]).toEqual([400, expect.stringContaining(forms.errors.expired)])
  })

  test('is for clients with that grant alone', async () => {
    const { config } = await createClient(running)
    await expect(start(config)).rejects.toMatchObject({ error: 'unauthorized_client' })
  })
})

describe('the form', () => {
  test('is filled in by the complete address, which starts nothing by itself', async () => {
    const { config } = await createTerminal()
    const { browser } = await signedIn()
    browser.cookies.set('locale', 'en')
    const device = await start(config)
    // the provider's router ignores letter case
    const shouted = await (await visit(running, browser, `/oidc/DEVICE?user_code=${device.user_code}`)).text()
    expect(shouted).toContain(en['device-flow'].enter.title)
    expect(shouted).not.toContain('<script')
    const body = await (await visit(running, browser, device.verification_uri_complete ?? '')).text()
    expect(body).toContain(`value="${device.user_code}"`)
    expect(body).toContain(en['device-flow'].enter.title)
    expect(body).not.toContain('<script')
    expect(body).not.toContain('Ledger')
    const asked = await pages.send(browser, body, { user_code: device.user_code })
    expect(asked.body).toContain('Ledger')
    const hostile = await visit(running, browser, '/oidc/device?user_code=%22%3E%3Cscript%3E')
    expect(await hostile.text()).not.toContain('<script')
  })

  test('is filled in, starts nothing, and is accepted only from our own page, however its address is written', async () => {
    const { config } = await createTerminal()
    const { browser } = await signedIn()
    const device = await start(config)
    const asked = await pages.enter(browser, device.user_code)
    const fields = { ...hidden(asked.body), confirm: 'yes' }
    for (const path of spellings('/oidc', '/device')) {
      const answer = await visit(running, browser, `${path}?user_code=${device.user_code}`)
      const body = await answer.text()
      expect({ path, status: answer.status, isForm: body.includes(forms.enter.title) }).toEqual({
        path,
        status: 200,
        isForm: true,
      })
      expect(body, path).toContain(`value="${device.user_code}"`)
      expect(body, path).not.toMatch(/<script|Учёт/)
      for (const sent of [path, `${path}?x`, `${path}?user_code=${device.user_code}`])
        expect((await submit(running, browser, sent, fields, { 'sec-fetch-site': 'cross-site' })).status, sent).toBe(
          403,
        )
    }
    expect(await ask(config, device)).toBe('authorization_pending')
  })

  test('shows what is wrong with a code', async () => {
    const { browser } = await signedIn()
    const wrong = await pages.enter(browser, 'BBBB-BBBB')
    expect([wrong.status, wrong.body]).toEqual([400, expect.stringContaining(forms.errors.wrong)])
    expect(wrong.body).toContain('value="BBBB-BBBB"')
    expect((await pages.enter(browser, '')).body).toContain(forms.errors.empty)
  })

  test('is accepted only from our own page, as it was last rendered', async () => {
    const { config } = await createTerminal()
    const { browser } = await signedIn()
    const device = await start(config)
    const asked = await pages.enter(browser, device.user_code)
    const fields = { ...hidden(asked.body), confirm: 'yes' }
    const elsewhere: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': '', origin: 'https://evil.example' },
    ]
    for (const headers of elsewhere)
      for (const path of ['/oidc/device', '/oidc/Device', '/oidc/DEVICE?x'])
        expect((await submit(running, browser, path, fields, headers)).status).toBe(403)
    const stale = await submit(running, browser, '/oidc/device', { ...fields, xsrf: 'another' })
    expect([stale.status, await stale.text()]).toEqual([400, expect.stringContaining(forms.errors.stale)])
    expect(await ask(config, device)).toBe('authorization_pending')
  })

  test('slows down people who guess, also in parallel, and nobody else', async () => {
    const { config } = await createTerminal()
    const { browser } = await signedIn()
    // a form works for one try, so each guess has its own
    const forms = await Promise.all(
      Array.from({ length: 25 }, async () => {
        const guesser = new Browser()
        return { guesser, body: await pages.openForm(guesser) }
      }),
    )
    const guesses = await Promise.all(
      forms.map(({ guesser, body }, n) =>
        pages.send(guesser, body, { user_code: `BBBB-BBB${'BCDFGHJKLMNPQRSTVWXZ'[n % 20]}` }),
      ),
    )
    const refused = guesses.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(5)
    expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(refused[0]?.body).toContain('role="alert"')
    // even the right code must wait now
    const device = await start(config)
    expect((await pages.enter(browser, device.user_code)).status).toBe(429)
  })

  test('can’t be used by one address to create codes without limit', async () => {
    const { config } = await createTerminal()
    const { client_id } = config.clientMetadata()
    const ask = () =>
      fetch(running.at('/oidc/device/auth'), {
        method: 'POST',
        body: new URLSearchParams({ client_id, scope: 'openid' }),
      })
    const answers = await Promise.all(Array.from({ length: 105 }, ask))
    const refused = answers.filter(({ status }) => status === 429)
    expect([answers.filter(({ status }) => status === 200).length, refused.length]).toEqual([100, 5])
    expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await refused[0]?.json()).toEqual({ error: 'too_many_requests', error_description: expect.any(String) })
  })

  test('counts no right code against the address, but each code against itself', async () => {
    const { config } = await createTerminal()
    const { browser } = await signedIn()
    const device = await start(config)
    const answers: number[] = []
    for (let n = 0; n < 21; n++) answers.push((await pages.enter(browser, device.user_code)).status)
    expect(answers).toEqual([...Array(20).fill(200), 429])
    const other = await start(config)
    expect((await pages.enter(browser, other.user_code)).status).toBe(200)
  })
})

test('without Redis asks device and person to come back later', async () => {
  const { config } = await createTerminal()
  const { browser } = await signedIn()
  const device = await start(config)
  const body = await pages.openForm(browser)
  const bringBack = takeRedisAway()
  try {
    const page = await pages.send(browser, body, { user_code: device.user_code })
    expect([page.status, page.body]).toEqual([503, expect.stringContaining(forms.errors.unavailable)])
    for (const path of ['device/auth', 'token']) {
      const answer = await fetch(running.at(`/oidc/${path}`), {
        method: 'POST',
        body: new URLSearchParams({
          client_id: config.clientMetadata().client_id,
          scope: 'openid',
          grant_type: grantType,
          device_code: device.device_code,
        }),
      })
      expect({ path, status: answer.status, body: await answer.json() }).toEqual({
        path,
        status: 503,
        body: expect.objectContaining({ error: 'temporarily_unavailable' }),
      })
    }
  } finally {
    bringBack()
  }
})
