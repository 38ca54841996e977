import { eq, sql } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { methods, sessions, userRoles, users } from '@/db/schema'
import { createClient, startProvider } from '../../factories/oidc'
import { secret } from '../../factories/oidc-clients'
import { authorize, signedIn, tokensFor } from '../../factories/oidc-flows'
import { plantRole } from '../../factories/roles'
import { statementsOf } from '../../factories/statements'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

/** A person at an application with a method, and how many statements each use of the tokens needs. */
async function costsOf(scope: string) {
  const { config, application } = await createClient(running, { secret, methods: ['own.read'] })
  const [method] = await db().select().from(methods).where(eq(methods.applicationId, application.id))
  const role = await plantRole([method?.id ?? ''])
  const { user, browser } = await signedIn({ roles: [] })
  await db().insert(userRoles).values({ userId: user.id, roleId: role.id })
  let tokens: client.TokenEndpointResponse = await tokensFor(running, browser, config, { scope })
  const { end, verifier } = await authorize(running, browser, config, { scope })
  const checks = { pkceCodeVerifier: verifier, expectedState: 'state' }
  const code = await statementsOf(() => client.authorizationCodeGrant(config, end, checks))
  const uses = {
    refresh: async () => {
      tokens = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    },
    userinfo: () => client.fetchUserInfo(config, tokens.access_token, user.id),
    'introspection of an access token': () => client.tokenIntrospection(config, tokens.access_token),
    'introspection of a refresh token': () => client.tokenIntrospection(config, tokens.refresh_token ?? ''),
  }
  const costs = async () => {
    const counts: Record<string, number> = {}
    for (const [name, use] of Object.entries(uses)) counts[name] = (await statementsOf(use)).length
    return counts
  }
  // the caches of the process are filled
  await costs()
  return { user, costs, code: code.length }
}

/** The statements of each use. */
const counts = (refresh: number, userinfo: number, introspection: number) => ({
  refresh,
  userinfo,
  'introspection of an access token': introspection,
  'introspection of a refresh token': introspection,
})

test('a refresh needs two statements, userinfo and introspection one, also when the access of the person is counted', async () => {
  const { user, costs, code } = await costsOf('openid profile email')
  expect(code).toBe(7)
  expect(await costs()).toEqual(counts(2, 1, 1))
  const before = new Date(Date.now() - 90_000)
  await db().update(sessions).set({ lastAccessAt: before }).where(eq(sessions.userId, user.id))
  expect(await costs()).toEqual(counts(2, 1, 1))
  const [session] = await db().select().from(sessions).where(eq(sessions.userId, user.id))
  expect(session?.lastAccessAt.getTime()).toBeGreaterThan(before.getTime())
})

test('each scope with lists of its own needs one statement more, where claims are returned', async () => {
  const { costs } = await costsOf('openid roles contractors fields')
  expect(await costs()).toEqual(counts(5, 4, 1))
})

test('an account with marks needs one look at its session and one at its doubts', async () => {
  const { user, costs } = await costsOf('openid profile email')
  const preparer = await createUser({ roles: ['administrator'] })
  await db().update(users).set({ preparedBy: preparer.id, preparedSince: new Date() }).where(eq(users.id, user.id))
  expect(await costs()).toEqual(counts(4, 3, 2))
})

test('the statement that reads a token is planned once for each connection', async () => {
  const { costs } = await costsOf('openid profile email')
  for (let round = 0; round < 3; round++) await costs()
  const { rows } = await db().execute<{ custom: number; generic: number }>(sql`
    select custom_plans::int as custom, generic_plans::int as generic
    from pg_prepared_statements where name = 'oidc_tokens_by_ids'`)
  // PostgreSQL compares five plans for given values with the one for all
  expect(rows).toMatchObject([{ custom: 5 }])
  expect(rows[0]?.generic).toBeGreaterThan(5)
})
