import { Redis } from 'ioredis'
import pg from 'pg'
import { freeze, parentOf } from '../factories/processes'
import { ownPerson } from './own-people'
import { restClient } from './rest-client'
import { password } from './sign-in-page'
import { expect, test } from './turn'
import { en, ru } from './words'

let owner: pg.Client
test.beforeEach(async () => {
  owner = new pg.Client(process.env.DATABASE_OWNER_URL)
  await owner.connect()
})
test.afterEach(() => owner.end())

const pages = ['/platform/profile', '/platform/profile/sessions', '/platform/apps']

async function signedIn(address: string) {
  const client = restClient(address)
  expect(await client.signIn((await ownPerson('oneService')).login, password)).toBe(200)
  for (const path of pages) expect((await client.page(path)).status, path).toBe(200)
  return client
}

/** Expects a whole page without a script that explains the outage in the person's language, and when to come back. */
async function expectOutagePage(answer: Response, words: { outage: { title: string; retry: string } }) {
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(answer.headers.get('content-type')).toContain('text/html')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const text = await answer.text()
  expect(text).toContain(words.outage.title)
  expect(text).toContain(words.outage.retry)
  expect(text.trimEnd().endsWith('</html>')).toBe(true)
}

test('while PostgreSQL hangs, pages, calls and the provider answer 503, and recover afterwards', async ({
  second: { address },
}) => {
  const client = await signedIn(address)
  const { rows } = await owner.query('select pg_backend_pid() as pid')
  const thaw = freeze(parentOf(rows[0].pid))
  try {
    const answers = await Promise.all(pages.map((path) => client.page(path)))
    for (const answer of answers) await expectOutagePage(answer, ru)
    await expectOutagePage(
      await client.page('/platform/profile', { 'accept-language': 'en', 'accept-encoding': 'gzip' }),
      en,
    )
    // one after another, as a person who tries again does
    for (let at = 0; at < 10; at++) expect((await client.page('/platform/profile')).status).toBe(503)
    const part = await client.page('/platform/profile', { rsc: '1' })
    expect(await part.text()).not.toContain('<html')
    const call = await client.send('GET', '/users/settings')
    expect([call.status, (await call.json()).code]).toEqual([503, 'unavailable'])
    const config = await restClient(address).send('GET', '/auth/config/login?login=nobody-at-all')
    expect(config.status).toBe(503)
    const token = await client.ask('/oidc/token', {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'nothing' }),
    })
    expect(token.status).toBe(503)
    expect((await client.ask('/health/live')).status).toBe(200)
    expect((await client.ask('/health/ready')).status).toBe(503)
  } finally {
    thaw()
  }
  for (const path of pages) await expect.poll(async () => (await client.page(path)).status).toBe(200)
})

test('after a statement timeout pages and calls answer 503, never 500', async ({ second: { address } }) => {
  const client = await signedIn(address)
  await owner.query('begin')
  await owner.query('lock table users, user_settings, sessions in access exclusive mode')
  const [page, call] = await Promise.all([
    client.page('/platform/profile/sessions'),
    client.send('GET', '/users/settings'),
  ])
  await owner.query('rollback')
  await expectOutagePage(page, ru)
  expect(call.status).toBe(503)
  expect((await client.page('/platform/profile/sessions')).status).toBe(200)
})

test('with a full Redis pages and calls answer, and nothing is a 500', async ({ second: { address } }) => {
  test.skip(process.env.REDIS_URL === 'mock:', 'an imitation of Redis is never full')
  const client = await signedIn(address)
  const redis = new Redis(process.env.REDIS_URL ?? '')
  await redis.config('SET', 'maxmemory', '1')
  try {
    const statuses = await Promise.all([
      ...[...pages, '/platform/login', '/platform/registration', '/platform/forgot-password'].map((path) =>
        client.page(path),
      ),
      client.send('GET', '/users/settings'),
      restClient(address).page('/platform/login'),
      client.ask('/oidc/auth?client_id=demo&response_type=code&scope=openid'),
      client.ask('/oidc/device/auth', { method: 'POST', body: new URLSearchParams({ client_id: 'demo' }) }),
    ]).then((answers) => answers.map(({ status }) => status))
    for (const status of statuses) expect(status).not.toBe(500)
    expect(statuses.slice(0, pages.length).every((status) => status === 200)).toBe(true)
    expect(await restClient(address).signIn((await ownPerson('oneService')).login, password)).toBe(200)
  } finally {
    await redis.config('SET', 'maxmemory', '0')
    redis.disconnect()
  }
})
