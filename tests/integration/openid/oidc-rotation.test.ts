import { and, eq, isNull } from 'drizzle-orm'
import * as client from 'openid-client'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { db } from '@/db/client'
import { oidcRecords, sessions } from '@/db/schema'
import { Browser } from '../../factories/browser'
import { createClient, follow, request, startProvider } from '../../factories/oidc'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

async function signedIn() {
  const [user, browser, { config, clientId }] = [await createUser(), new Browser(), await createClient(running)]
  await signInByPassword(browser, user.login, password)
  const { url, verifier } = await request(config)
  const { url: end } = await follow(running, browser, url)
  const tokens = await client.authorizationCodeGrant(config, end, {
    pkceCodeVerifier: verifier,
    expectedState: 'state',
  })
  return { user, config, clientId, refreshToken: tokens.refresh_token ?? '' }
}

const unused = (clientId: string) =>
  db()
    .select({ idHash: oidcRecords.idHash })
    .from(oidcRecords)
    .where(
      and(eq(oidcRecords.model, 'RefreshToken'), eq(oidcRecords.clientId, clientId), isNull(oidcRecords.consumedAt)),
    )

test('many uses of a refresh token at once get the same answer, and only one successor is stored', async () => {
  const { config, clientId, refreshToken } = await signedIn()
  const answers = await Promise.all(Array.from({ length: 30 }, () => client.refreshTokenGrant(config, refreshToken)))
  const [served] = answers
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await unused(clientId)).toHaveLength(1)
  await client.refreshTokenGrant(config, served?.refresh_token ?? '')
  expect(await unused(clientId)).toHaveLength(1)
})

/** Runs a query on this file's database as its owner, who may do more than the application. */
async function asOwner(query: string) {
  const address = new URL(inject('ownerUrl'))
  address.pathname = new URL(process.env.DATABASE_URL ?? '').pathname
  const owner = new pg.Client(address.href)
  await owner.connect()
  await owner.query(query).finally(() => owner.end())
}

test('a refresh that fails half-way has used nothing up', async () => {
  const { config, clientId, refreshToken } = await signedIn()
  await asOwner(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before insert on oidc_records for each row when (new.model = 'AccessToken')
    execute function refuse()`)
  const failed = await client.refreshTokenGrant(config, refreshToken).catch((error) => error.cause)
  await asOwner('drop trigger refuse on oidc_records')
  expect(failed).toMatchObject({ status: 500 })
  expect(await unused(clientId)).toHaveLength(1)
  const next = await client.refreshTokenGrant(config, refreshToken)
  expect(next.refresh_token).not.toBe(refreshToken)
})

test('a refresh counts as an access with minute precision, and doesn’t prolong an ended session', async () => {
  const { user, config, refreshToken } = await signedIn()
  const lastAccess = async () =>
    (await db().select({ at: sessions.lastAccessAt }).from(sessions).where(eq(sessions.userId, user.id)))[0]?.at
  const long = new Date(Date.now() - 90_000)
  await db().update(sessions).set({ lastAccessAt: long }).where(eq(sessions.userId, user.id))
  const before = new Date()
  const next = await client.refreshTokenGrant(config, refreshToken)
  await expect.poll(async () => ((await lastAccess()) ?? long) >= before).toBe(true)

  await db().update(sessions).set({ endedAt: new Date(), lastAccessAt: long }).where(eq(sessions.userId, user.id))
  await expect(client.refreshTokenGrant(config, next.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  expect(await lastAccess()).toEqual(long)
})
