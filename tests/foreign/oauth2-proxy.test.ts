import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '@/bin/embedded/process'
import { createApplication } from '@/lib/applications/applications/contract'
import { env } from '@/lib/base/runtime/env'
import { readApplicationDetails } from '@/lib/openid/applications/contract'
import { createClient as createClientCall } from '@/lib/openid/clients/contract'
import { signedInWith } from '../factories/access'
import type { Browser } from '../factories/browser'
import { Caller } from '../factories/caller'
import { startProvider, visit } from '../factories/oidc'
import { signedIn } from '../factories/oidc-flows'
import { useTestDatabase } from '../setup/database'

// a real oauth2-proxy in front of nothing; docs/howto/change-the-openid-provider.md tells how to run this
useTestDatabase()

const { FOREIGN_OAUTH2_PROXY: program } = process.env

let running: Awaited<ReturnType<typeof startProvider>>
const children: ChildProcess[] = []
beforeAll(async () => {
  if (!program) throw new Error('FOREIGN_OAUTH2_PROXY must name the program')
  running = await startProvider()
  // the issuer is the address where it listens, because oauth2-proxy looks it up itself
  Object.assign(env(), { PUBLIC_URL: new URL(running.at('/')).origin })
})
afterAll(async () => {
  for (const child of children) child.kill()
  await running?.stop()
})

/** An application and its client by the calls of the screens, with what their forms begin with. */
async function makeClient(redirect: string, pkceRequired: boolean) {
  const { browser } = await signedInWith(['applications.read', 'applications.write'])
  const caller = new Caller(browser)
  const made = await caller.call(createApplication, {
    body: {
      ...{ type: 'link', name: `Proxy ${randomUUID()}`, nameEn: '', description: '', descriptionEn: '' },
      ...{ url: redirect, menuVisible: false, parentId: null },
    },
  })
  const clientId = `proxy-${randomUUID()}`
  const { secret } = await caller.call(createClientCall, {
    params: { id: made.id },
    body: {
      ...{ clientId, name: 'Proxy', applicationType: 'web', authMethod: 'client_secret_basic', pkceRequired },
      ...{ redirectUris: [redirect], postLogoutRedirectUris: [], backchannelLogoutUri: null },
      grantTypes: ['authorization_code', 'refresh_token'],
      ...{ accessTokenLifespan: null, refreshTokenLifespan: null, idTokenAlg: 'RS256' },
    },
  })
  const { application } = await caller.call(readApplicationDetails, { params: { id: made.id } })
  expect(application.clients).toMatchObject([{ clientId, enabled: true }])
  return { clientId, secret: secret ?? '' }
}

/** Starts oauth2-proxy with its defaults and what it can’t do without. Returns its address. */
async function startProxy(pkceRequired: boolean, more: string[]) {
  const address = `http://127.0.0.1:${await freePort()}`
  const { clientId, secret } = await makeClient(`${address}/oauth2/callback`, pkceRequired)
  const child = spawn(
    program ?? '',
    [
      '--provider=oidc',
      `--oidc-issuer-url=${running.at('/oidc')}`,
      `--client-id=${clientId}`,
      `--http-address=${new URL(address).host}`,
      `--redirect-url=${address}/oauth2/callback`,
      '--email-domain=*',
      '--upstream=static://200',
      // the test speaks http
      '--cookie-secure=false',
      ...more,
    ],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        OAUTH2_PROXY_CLIENT_SECRET: secret,
        OAUTH2_PROXY_COOKIE_SECRET: randomBytes(32).toString('base64url'),
      },
    },
  )
  children.push(child)
  const isReady = () =>
    fetch(`${address}/ping`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isReady, { timeout: 30_000 }).toBe(true)
  return address
}

/** Makes a request as the browser that signs in, and keeps its cookies. */
async function open(cookies: Map<string, string>, address: string) {
  const answer = await fetch(address, {
    redirect: 'manual',
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })
  for (const line of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value && !/expires=Thu, 01 Jan 1970/i.test(line)) cookies.set(name, value)
    else cookies.delete(name)
  }
  return answer
}

/** Leads a browser through the provider. Returns the address at which it leaves. */
async function through(browser: Browser, start: string) {
  let address = new URL(start)
  for (let steps = 0; steps < 12; steps++) {
    const answer = await visit(running, browser, address)
    const location = answer.headers.get('location')
    if (!location) throw new Error(`no way on from ${address}: ${answer.status}`)
    address = new URL(location, address)
    if (address.pathname === '/oauth2/callback') return address
  }
  throw new Error('no end of redirects')
}

const verified = { email: `proxy-${randomUUID()}@polaris.example`, emailVerifiedAt: new Date() }

test.each([
  ['that may go without PKCE, by its defaults alone', false, []],
  ['as it is made, with the flag for PKCE that its log recommends', true, ['--code-challenge-method=S256']],
] as const)('oauth2-proxy signs a person in by a client %s, and out', async (_, pkceRequired, more) => {
  const address = await startProxy(pkceRequired, [...more])
  const cookies = new Map<string, string>()
  expect((await open(cookies, `${address}/`)).status).toBe(403)
  const start = await open(cookies, `${address}/oauth2/start?rd=%2F`)
  const { browser, user } = await signedIn({ ...verified, email: `proxy-${randomUUID()}@polaris.example` })
  const back = await through(browser, start.headers.get('location') ?? '')
  expect(back.origin).toBe(address)
  const done = await open(cookies, back.href)
  expect(`${done.status} ${done.headers.get('location')}`).toBe('302 /')
  expect((await open(cookies, `${address}/`)).status).toBe(200)
  const userinfo = await (await open(cookies, `${address}/oauth2/userinfo`)).json()
  expect(userinfo).toMatchObject({ user: user.id, email: user.email, preferredUsername: user.login })
  await open(cookies, `${address}/oauth2/sign_out`)
  expect((await open(cookies, `${address}/`)).status).toBe(403)
})

test('oauth2-proxy without PKCE gets no code by a client that needs it, and says so', async () => {
  const address = await startProxy(true, [])
  const cookies = new Map<string, string>()
  const start = await open(cookies, `${address}/oauth2/start?rd=%2F`)
  const { browser } = await signedIn()
  const back = await through(browser, start.headers.get('location') ?? '')
  expect(back.searchParams.get('error')).toBe('invalid_request')
  expect((await open(cookies, back.href)).status).toBeGreaterThanOrEqual(400)
  expect((await open(cookies, `${address}/`)).status).toBe(403)
})
