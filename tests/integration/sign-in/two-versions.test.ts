import { and, eq, sql } from 'drizzle-orm'
import { encode } from 'next-auth/jwt'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { links, messages, oidcRecords, sessions, signInAttempts } from '@/db/schema'
import { decrypt, digest, encrypt, keysOf } from '@/lib/base/crypto/encryption'
import { redis } from '@/lib/base/redis/redis'
import { authCode } from '@/lib/sign-in/attempts/contract'
import { Browser } from '../../factories/browser'
import { lastCodeTo } from '../../factories/messages'
import { createClient, startProvider } from '../../factories/oidc'
import { codeFor } from '../../factories/oidc-clients'
import { signedIn, tokensFor } from '../../factories/oidc-flows'
import { first } from '../../factories/platform'
import { finish, startRegistration } from '../../factories/registration'
import { handlerOf } from '../../factories/routes'
import { begin, prove, signedInStatus } from '../../factories/sign-in'
import { createRole, createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const askCode = handlerOf(authCode)

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

// fields that a later version added, which this one doesn't know
const later = { later: { of: ['a', 'later', 'version'] } }
const more = JSON.stringify(later)

/** Adds to every sealed JSON in a column the fields of a later version. */
async function noteMore(table: string, key: string, column: string, purpose: 'oidc' | 'messages') {
  const [from, id, value] = [table, key, column].map((name) => sql.identifier(name))
  const { rows } = await db().execute<{ id: string; sealed: string }>(
    sql`select ${id}::text as id, ${value} as sealed from ${from}`,
  )
  for (const row of rows) {
    const values = { ...JSON.parse(decrypt(purpose, row.sealed, row.id)), ...later }
    await db().execute(
      sql`update ${from} set ${value} = ${encrypt(purpose, JSON.stringify(values), row.id)} where ${id}::text = ${row.id}`,
    )
  }
  expect(rows.length).toBeGreaterThan(0)
}

test('a sign-in that a later version began is finished by this one, which keeps unknown fields', async () => {
  const role = await createRole({ firstFactor: ['credentials'], secondFactor: ['email_code'] })
  const [user, browser] = [await createUser({ roles: [role] }), new Browser()]
  await begin(browser, user.login)
  const mine = eq(signInAttempts.userId, user.id)
  const add = sql`${signInAttempts.state} || ${more}::jsonb`
  await db().update(signInAttempts).set({ state: add }).where(mine)
  expect((await prove(browser, user.login, { password })).body).toMatchObject({ next: 'second_factor' })
  expect(first(await db().select().from(signInAttempts).where(mine)).state).toMatchObject(later)
  await browser.send(askCode, 'POST', {
    params: { idAttribute: 'login' },
    body: { flow: 'email_code', login: user.login },
  })
  // its job may have more fields too
  await db().execute(sql`update graphile_worker._private_jobs set payload = (payload::jsonb || ${more}::jsonb)::json`)
  const code = await lastCodeTo(user.email)
  await noteMore('messages', 'id', 'content', 'messages')
  expect((await prove(browser, user.login, { flow: 'email_code', code })).body).toMatchObject({ next: 'done' })
  expect(await signedInStatus(browser)).toBe(200)
})

test('a session that a later version began or stored works in this one too', async () => {
  const { user, browser } = await signedIn()
  const mine = and(eq(sessions.userId, user.id))
  const { id } = first(await db().select().from(sessions).where(mine))
  const secret = keysOf('session')[0]?.key.toString('hex') ?? ''
  browser.cookies.set('platform-session', await encode({ token: { sid: id, ...later }, secret, maxAge: 600 }))
  expect(await signedInStatus(browser)).toBe(200)
  const cached = JSON.parse((await redis().get(`principal:${id}`)) ?? '')
  await redis().set(`principal:${id}`, JSON.stringify({ ...cached, ...later }), 'EX', 60)
  expect(await signedInStatus(browser)).toBe(200)
})

test('a registration that a later version began is finished by this one', async () => {
  const browser = new Browser()
  const { secret } = await startRegistration(browser)
  const mine = eq(links.idHash, digest(secret))
  await db()
    .update(links)
    .set({ data: sql`${links.data} || ${more}::jsonb` })
    .where(mine)
  expect(await finish(browser, secret)).toMatchObject({ status: 200, body: { next: 'done' } })
})

test('data of a later version’s provider works in this one', async () => {
  const { config } = await createClient(running)
  const { browser } = await signedIn()
  const redeem = await codeFor(running, browser, config)
  for (const key of await redis().keys('oidc:AuthorizationCode:*')) {
    const payload = { ...JSON.parse(decrypt('oidc', (await redis().hget(key, 'payload')) ?? '', key)), ...later }
    await redis().hset(key, 'payload', encrypt('oidc', JSON.stringify(payload), key))
  }
  await noteMore('oidc_records', 'id_hash', 'payload', 'oidc')
  const tokens = await redeem()
  await noteMore('oidc_records', 'id_hash', 'payload', 'oidc')
  const fresh = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
  expect(fresh).toHaveProperty('access_token')
  expect(await tokensFor(running, browser, config)).toHaveProperty('access_token')
  expect(await db().select().from(oidcRecords)).not.toEqual([])
  expect(await db().select().from(messages)).not.toEqual([])
})
