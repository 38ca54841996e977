import { spawn } from 'node:child_process'
import { pbkdf2Sync, randomUUID } from 'node:crypto'
import { eq, inArray, sql } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { missingKeys } from '@/bin/secrets/registry'
import { resealAll, verdictOf } from '@/bin/secrets/reseal'
import { db } from '@/db/client'
import { dailyCounters, lastingKeys, oidcRecords, sealingKeys, sessions } from '@/db/schema'
import { startUserImport } from '@/lib/account-administration/user-import/contract'
import { dropCached } from '@/lib/base/cache/cache'
import { contract } from '@/lib/base/contracts/contract'
import { decrypt, encrypt, keyedHash, keysOf, namedKeys, purposes } from '@/lib/base/crypto/encryption'
import { loadPermanentKeys } from '@/lib/base/crypto/permanent-keys'
import { redis } from '@/lib/base/redis/redis'
import { adapterOf } from '@/lib/openid/token-store/service'
import { route } from '@/lib/request/route'
import { authCode } from '@/lib/sign-in/attempts/contract'
import { newKey } from '@/lib/sign-in/factors/totp/totp'
import { decryptCookie, encryptCookie } from '@/lib/sign-in/sessions/cookie'
import { signedInWith } from '../../factories/access'
import { giveApp } from '../../factories/authenticator'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { freshKey, setKeys } from '../../factories/keys'
import { lastCodeTo } from '../../factories/messages'
import { createClient, follow, request, startProvider } from '../../factories/oidc'
import { signedIn, tokensFor } from '../../factories/oidc-flows'
import { askLink, newEmail } from '../../factories/registration'
import { handlerOf } from '../../factories/routes'
import { begin, prove, signedInStatus } from '../../factories/sign-in'
import { importOf } from '../../factories/user-import'
import { createUser } from '../../factories/users'
import { bundled } from '../../setup/bundled'
import { useTestDatabase } from '../../setup/database'

const askCode = handlerOf(authCode)

useTestDatabase()

const first = process.env.SECRET_KEYS ?? ''
let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())
beforeEach(async () => {
  expect(await missingKeys()).toEqual([])
})
afterEach(() => void setKeys(first))

const forgetCached = () => ['oidc-keys', 'oidc-clients'].forEach(dropCached)
const codeFor = (browser: Browser, login: string) =>
  browser.send(askCode, 'POST', { params: { idAttribute: 'login' }, body: { flow: 'email_code', login } })

/** Makes the first key the first again, and encrypts again what the other one encrypted. */
async function goBack(next: string) {
  setKeys(first, next)
  expect(await missingKeys()).toEqual([])
  await resealAll()
}

/** Lets the last heartbeat of every process that sealed be long ago. */
const letPass = () => db().update(sealingKeys).set({ sealedAt: sql`now() - interval '10 minutes'` })

describe('while keys are exchanged in two steps', () => {
  test('every instance can read what any other one encrypts', async () => {
    const next = freshKey()
    // instances with the keys of the same step run together, and so do those of two successive steps
    for (const together of [
      [[first], [first, next]],
      [
        [first, next],
        [next, first],
      ],
      [[next, first], [next]],
    ])
      for (const writer of together)
        for (const reader of together) {
          // what only the removed key can read was encrypted again before the last step, or the step waits
          if (writer[0] === first && reader.length === 1 && reader[0] === next) continue
          setKeys(...writer)
          const made = purposes.map((purpose) => ({ purpose, sealed: encrypt(purpose, 'x', 'row') }))
          const cookie = await encryptCookie('id', 60)
          setKeys(...reader)
          for (const { purpose, sealed } of made) expect(decrypt(purpose, sealed, 'row')).toBe('x')
          expect(await decryptCookie(cookie)).toEqual({ id: 'id' })
        }
  })

  test('a code requested before is still right, and the resend time continues', async () => {
    const [user, browser, next] = [await createUser(), new Browser(), freshKey()]
    await begin(browser, user.login)
    const asked = await codeFor(browser, user.login)
    expect(asked.body.resendIn).toBe(60)
    const digits = await lastCodeTo(user.email)
    setKeys(next, first)
    const again = await codeFor(browser, user.login)
    expect(again.body).toMatchObject({ endTime: asked.body.endTime })
    expect(again.body.resendIn).toBeGreaterThan(0)
    expect(await prove(browser, user.login, { flow: 'email_code', code: digits })).toMatchObject({
      status: 200,
      body: { next: 'done' },
    })
  })

  test('strangers see the same as before, and daily limits are kept', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `nobody.${n}`)
    const flows = async () => Promise.all(names.map(async (name) => (await begin(new Browser(), name)).body.flows))
    const before = await flows()
    const email = newEmail()
    await askLink(new Browser(), email)
    const counters = async () => (await db().select({ key: dailyCounters.key }).from(dailyCounters)).length
    const [hash, many, next] = [keyedHash('identifiers', 'x'), await counters(), freshKey()]
    setKeys(next, first)
    await loadPermanentKeys()
    expect(keyedHash('identifiers', 'x')).toBe(hash)
    expect(await flows()).toEqual(before)
    await redis().del(await redis().keys('code-resend:*'))
    await askLink(new Browser(undefined, '203.0.113.77'), email)
    // one message for the other address, none for the e-mail
    expect(await counters()).toBe(many + 1)
    await goBack(next)
  })

  test('nobody is signed out: a cookie is encrypted again when it is used, and then works without the old key', async () => {
    const { user, browser } = await signedIn()
    const [stale, next] = [browser.copy(), freshKey()]
    const id = setKeys(next, first)
    expect(await signedInStatus(browser)).toBe(200)
    expect(browser.cookies.get('platform-session')).not.toBe(stale.cookies.get('platform-session'))
    expect(await db().select().from(sessions).where(eq(sessions.userId, user.id))).toMatchObject([{ sealedBy: id }])
    setKeys(next)
    expect([await signedInStatus(browser), await signedInStatus(stale)]).toEqual([200, 401])
  })
})

describe('the lasting keys', () => {
  test('are the same for all processes that start at once', async () => {
    await db().delete(lastingKeys)
    await Promise.all(Array.from({ length: 30 }, loadPermanentKeys))
    const hash = keyedHash('identifiers', 'x')
    await loadPermanentKeys()
    expect(keyedHash('identifiers', 'x')).toBe(hash)
    const text = JSON.stringify(await db().select().from(lastingKeys))
    expect(text).not.toContain(keysOf('identifiers')[0]?.key.toString('base64url'))
  })

  test('are the old ones if a previous version has counted with them, otherwise random', async () => {
    const former = () => {
      const hmac = (purpose: 'identifiers' | 'codes') => keysOf(purpose)[0]?.key
      return [hmac('identifiers'), hmac('codes')].map((key) => key?.toString('base64url'))
    }
    const made = async () => {
      await db().delete(lastingKeys)
      await loadPermanentKeys()
      const older = inArray(lastingKeys.purpose, ['identifiers', 'resends'])
      const rows = await db().select().from(lastingKeys).where(older).orderBy(lastingKeys.purpose)
      return rows.map(({ purpose, key }) => decrypt('keys', key, purpose))
    }
    await begin(new Browser(), 'nobody')
    expect(await made()).toEqual(former())
    for (const table of ['sign_in_attempts', 'daily_counters', 'sessions'])
      await db().execute(sql`delete from ${sql.identifier(table)}`)
    const [one, other] = [await made(), await made()]
    for (const each of [one, other]) for (const key of former()) expect(each).not.toContain(key)
    expect(one).not.toEqual(other)
  })
})

const call = contract({
  name: 'kept',
  method: 'POST',
  path: '/kept',
  summary: '',
  tag: 'test',
  access: 'public',
  body: z.strictObject({}),
  response: z.strictObject({ run: z.number() }),
})
const keptRoute = route(call, async () => ({ run: 1 }))

/** Stores a sealed value in every place that may contain one. */
async function leaveEverywhere() {
  const { browser, user } = await signedIn()
  const { config, clientId } = await createClient(running, {
    secret: 'a secret of forty-three characters or thereabouts',
  })
  const tokens = await tokensFor(running, browser, config)
  const { url } = await request(config)
  const { client_id: _, ...pushed } = Object.fromEntries(url.searchParams)
  await client.buildAuthorizationUrlWithPAR(config, pushed)
  await follow(running, new Browser(), url)
  await browser.send(keptRoute, 'POST', { body: {}, headers: { 'idempotency-key': crypto.randomUUID() } })
  const asked = new Browser()
  const other = await createUser()
  await begin(asked, other.login)
  await codeFor(asked, other.login)
  await lastCodeTo(other.email)
  const importer = new Caller((await signedInWith(['users.write'])).browser)
  const hash = `pbkdf2_sha256$1000$salt$${pbkdf2Sync('x', 'salt', 1_000, 32, 'sha256').toString('base64')}`
  const row = [`key-${randomUUID().slice(0, 13)}`, `${randomUUID()}@polaris.example`, 'Имя Фамилия', hash, newKey()]
  await importer.call(startUserImport, {
    body: importOf(['field.login', 'field.email', 'field.fio', 'password', 'authenticatorKey'], [row]),
  })
  await giveApp(other.id)
  // jobs that have not begun
  const waiting = await createUser()
  await begin(asked, waiting.login)
  await codeFor(asked, waiting.login)
  await askLink(new Browser(), newEmail())
  return { browser, user, config, clientId, refresh: tokens.refresh_token ?? '' }
}

/** Returns the places in the database and in Redis that contain values sealed with one of these marks. */
async function standing(marks: string[]): Promise<string[]> {
  const { rows } = await db().execute<{ place: string; name: string; part: string }>(
    sql`select format('%I.%I', table_schema, table_name) as place, table_name as name, column_name as part
      from information_schema.columns where table_schema in ('public', 'graphile_worker')
      and data_type in ('text', 'json', 'jsonb', 'character varying')`,
  )
  const places: string[] = []
  const pattern = `(^|[^A-Za-z0-9_-])(${marks.join('|')})\\.[A-Za-z0-9_-]{16}\\.`
  for (const { place, part } of rows) {
    const seen = await db().execute(
      sql`select 1 from ${sql.raw(place)} where ${sql.identifier(part)}::text ~ ${pattern} limit 1`,
    )
    if (seen.rows.length > 0) places.push(`${place}.${part}`)
  }
  for (const key of await redis().keys('*')) {
    const kind = await redis().type(key)
    const text =
      kind === 'hash' ? JSON.stringify(await redis().hgetall(key)) : kind === 'string' ? await redis().get(key) : ''
    if (new RegExp(pattern).test(text ?? '')) places.push(key.split(':').slice(0, 2).join(':'))
  }
  return [...new Set(places)]
}
const marksOfFirst = () => Object.values(namedKeys()[0]?.marks ?? {})

describe('npm run platform -- secrets reencrypt', () => {
  test('encrypts again what an older key encrypted, in every store, and reports that the key can be removed', async () => {
    const { browser, config, refresh } = await leaveEverywhere()
    const marks = marksOfFirst()
    const places = await standing(marks)
    expect(places.length).toBeGreaterThan(8)

    const [old, next] = [namedKeys()[0]?.id ?? '', freshKey()]
    const name = setKeys(next, first)
    expect(await missingKeys()).toEqual([])
    // instances whose first key is the old one were alive a moment ago
    const early = await resealAll(3)
    expect(early.keys.map(verdictOf)).toEqual([
      `${name} seals: it stays`,
      expect.stringContaining(`${old} stays: a process`),
    ])
    expect(await standing(marks)).toEqual([])

    await letPass()
    const cookie = browser.copy()
    const { keys } = await resealAll()
    expect(keys[1]).toMatchObject({ id: old, needs: [], sealing: false })
    expect(verdictOf(keys[1] as (typeof keys)[number])).toMatch(new RegExp(`^${old} can go on \\d{4}-`))

    // everything works with the new key alone
    expect(await signedInStatus(browser)).toBe(200)
    await db().update(sessions).set({ expiresAt: new Date() }).where(eq(sessions.sealedBy, old))
    const after = await resealAll()
    expect(after.keys.map(verdictOf)).toEqual([`${name} seals: it stays`, `${old} can go`])
    setKeys(next)
    forgetCached()
    expect(await missingKeys()).toEqual([])
    await loadPermanentKeys()
    expect(await signedInStatus(browser)).toBe(200)
    expect(await client.refreshTokenGrant(config, refresh)).toHaveProperty('access_token')
    expect(await signedInStatus(cookie)).toBe(401)
    await goBack(next)
  })

  test('may run under load and twice at once: no concurrent write is lost, and the last run leaves nothing', async () => {
    const [next, records] = [freshKey(), adapterOf('AccessToken')]
    const marks = marksOfFirst()
    const ids = Array.from({ length: 200 }, (_, n) => `token-${n}-${Date.now()}`)
    const write = (id: string) => records.upsert(id, { accountId: id, clientId: 'x', kind: 'AccessToken' }, 600)
    for (const id of ids.slice(0, 100)) await write(id)
    setKeys(next, first)
    await missingKeys()
    const late = ids.slice(100).map(write)
    await Promise.all([resealAll(7), resealAll(11), resealAll(), ...late])
    await db().update(oidcRecords).set({ consumedAt: null })
    await resealAll()
    expect(await standing(marks)).toEqual([])
    for (const id of ids) expect(await records.find(id)).toMatchObject({ accountId: id })
    await goBack(next)
  })
})

/** Runs one of our commands with other SECRET_KEYS. Returns its status and output. */
function command(name: string, keys: string, ...args: string[]): Promise<{ status: number | null; text: string }> {
  const env = { ...process.env, SECRET_KEYS: keys, LOG_LEVEL: 'silent', PORT: '0', METRICS_PORT: '0', PROCESSES: '1' }
  const child = spawn(process.execPath, [bundled(`bin/${name}.ts`), ...args], { env })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += chunk
    })
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, text })))
}

describe('a missing key', () => {
  test('prevents the start of everything that needs its data, and is named', { timeout: 90_000 }, async () => {
    await leaveEverywhere()
    const [old, other] = [namedKeys()[0]?.id ?? '', freshKey()]
    for (const [name, ...args] of [
      ['server'],
      ['worker'],
      ['platform', 'secrets', 'reencrypt'],
      ['platform', 'admin', 'create', '--login', 'somebody', '--email', 'somebody@polaris.example'],
    ] as [string, ...string[]][]) {
      const { status, text } = await command(name, other, ...args)
      expect({ name, status, text }).toEqual({
        name,
        status: 1,
        text: expect.stringContaining(`SECRET_KEYS lacks the key ${old}`),
      })
      expect(text).toContain('signing keys of the OpenID Provider (')
      expect(text).not.toContain(first)
    }
    // with this key as the second one everything works
    const { status, text } = await command('platform', `${other},${first}`, 'secrets', 'reencrypt')
    expect(status, text).toBe(0)
    expect(text).toContain('encrypted anew: signing keys of the OpenID Provider')
    await command('platform', `${first},${other}`, 'secrets', 'reencrypt')
  })

  test('is named by its mark if no process ever started with it', async () => {
    await leaveEverywhere()
    await db().delete(sealingKeys)
    const marks = marksOfFirst()
    setKeys(freshKey())
    const faults = await missingKeys()
    expect(faults.length).toBeGreaterThan(1)
    for (const fault of faults) expect(marks.some((mark) => fault.includes(mark))).toBe(true)
    // values that became unreadable before keys were recorded, and that the platform doesn't need, don't prevent a
    // start
    expect(faults.join()).not.toMatch(/messages|sessions, grants|idempotency/)
    setKeys(first)
    expect(await missingKeys()).toEqual([])
  })

  test('doesn’t matter if it encrypted nothing that still exists', async () => {
    const spare = freshKey()
    setKeys(first, spare)
    expect(await missingKeys()).toEqual([])
    setKeys(first)
    expect(await missingKeys()).toEqual([])
  })
})
