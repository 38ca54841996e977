import { eq, sql } from 'drizzle-orm'
import * as client from 'openid-client'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { methods, oidcRecords, sessions, users } from '@/db/schema'
import { enableRole } from '@/lib/access/roles/contract'
import { deleteUser } from '@/lib/account-administration/accounts/contract'
import { removeHolder } from '@/lib/accounts/role-holders/contract'
import { setUserEnabled } from '@/lib/accounts/users/enable'
import { setApplicationEnabled } from '@/lib/applications/applications/service'
import { ensureListening } from '@/lib/base/cache/notifications'
import { enableContractor } from '@/lib/companies/contractors/contract'
import { enableOrganization } from '@/lib/companies/organizations/contract'
import { changePassword } from '@/lib/my-account/password/contract'
import { deleteClient, enableClient } from '@/lib/openid/clients/service'
import { withdrawUserApplication } from '@/lib/openid/consents/contract'
import { recordKey } from '@/lib/openid/token-store/encrypted-record'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { createContractor, join } from '../../factories/companies'
import { createClient, follow, formAction, request, startProvider, submit } from '../../factories/oidc'
import { secret } from '../../factories/oidc-clients'
import { refused, signedIn } from '../../factories/oidc-flows'
import { nextPassword } from '../../factories/own-account'
import { plantRole, signedInAdministrator } from '../../factories/roles'
import { signOut, startSessionOf } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
let administrator: Caller
beforeAll(async () => {
  running = await startProvider()
  administrator = (await signedInAdministrator()).caller
})
afterAll(() => running.stop())
beforeEach(async () => {
  expect(await ensureListening()).toBe(true)
})

/**
 * A person signed in at an external application that a contractor role opens to them, and an application that
 * introspects the tokens of others.
 */
async function working() {
  const made = await createClient(running, { secret, methods: ['own.read'], external: true })
  const [method] = await db().select().from(methods).where(eq(methods.applicationId, made.application.id))
  const role = await plantRole([method?.id ?? ''], 'contractor')
  const company = await createContractor()
  const { user, browser } = await signedIn({ roles: [] })
  await join(company, user.id, [role.id])
  const { url, verifier } = await request(made.config, { scope: 'openid roles offline_access', prompt: 'consent' })
  const page = await follow(running, browser, url)
  const sent = await submit(running, browser, formAction(page.body), { decision: 'allow' })
  const { url: end } = await follow(running, browser, sent.headers.get('location') ?? '')
  const checks = { pkceCodeVerifier: verifier, expectedState: 'state' }
  const tokens = await client.authorizationCodeGrant(made.config, end, checks)
  const { config: other } = await createClient(running, {
    secret,
    redirectUris: [],
    grantTypes: ['client_credentials'],
  })
  return { ...made, ...company, role, user, browser, other, tokens: tokens as client.TokenEndpointResponse }
}
type Working = Awaited<ReturnType<typeof working>>

const refresh = ({ config, tokens }: Working) => client.refreshTokenGrant(config, tokens.refresh_token ?? '')

/** What each use of the tokens answers now; the refresh is the last one, because it uses up its token. */
const answers = async (worker: Working) => ({
  userinfo: await refused(client.fetchUserInfo(worker.config, worker.tokens.access_token, worker.user.id)),
  introspection: (await client.tokenIntrospection(worker.other, worker.tokens.access_token)).active,
  'introspection of the refresh token': (
    await client.tokenIntrospection(worker.other, worker.tokens.refresh_token ?? '')
  ).active,
  refresh: await refused(refresh(worker)),
})

/** Makes the next access of the person be counted. */
const agePersonsAccess = ({ user }: Working) =>
  db()
    .update(sessions)
    .set({ lastAccessAt: new Date(Date.now() - 90_000) })
    .where(eq(sessions.userId, user.id))

const isTheirs = ({ user }: Working) => eq(sessions.userId, user.id)

/** Each way in which something ends on which tokens depend. */
const ends: Record<string, (worker: Working) => Promise<unknown>> = {
  'the person signs out': ({ browser }) => signOut(browser),
  'the session expires': (worker) => db().update(sessions).set({ expiresAt: new Date() }).where(isTheirs(worker)),
  'the session is idle for too long': (worker) =>
    db()
      .update(sessions)
      .set({ lastAccessAt: new Date(0) })
      .where(isTheirs(worker)),
  'the password changes elsewhere': async ({ user }) => {
    const browser = new Browser()
    await startSessionOf(browser, user.id)
    const body = { actual: password, password: nextPassword, rePassword: nextPassword }
    await new Caller(browser).call(changePassword, { body })
  },
  'the grant is revoked': ({ config, tokens }) => client.tokenRevocation(config, tokens.refresh_token ?? ''),
  'the consent is withdrawn': ({ browser, application: { id: applicationId } }) =>
    new Caller(browser).call(withdrawUserApplication, { params: { applicationId } }),
  'the account is disabled': ({ user }) =>
    administrator.serve((ctx) => setUserEnabled(ctx, { userId: user.id, enabled: false })),
  'the account is disabled by a statement': ({ user }) =>
    db().update(users).set({ enabled: false }).where(eq(users.id, user.id)),
  'the account is deleted': ({ user: { id } }) => administrator.call(deleteUser, { params: { id } }),
  'the account needs a proof': async ({ user }) => {
    const preparer = await createUser({ roles: [] })
    await db().update(users).set({ preparedBy: preparer.id, preparedSince: new Date() }).where(eq(users.id, user.id))
  },
  'the role is taken away': ({ role: { id }, user, contractor, organization }) =>
    administrator.call(removeHolder, {
      params: { id },
      query: { userId: user.id, contractorId: contractor.id, organizationId: organization.id },
    }),
  'the role is disabled': ({ role: { id } }) =>
    administrator.call(enableRole, { params: { id }, body: { enabled: false } }),
  'the company is disabled': ({ contractor: { id } }) =>
    administrator.call(enableContractor, { params: { id }, body: { enabled: false } }),
  'the organization is disabled': ({ organization: { id } }) =>
    administrator.call(enableOrganization, { params: { id }, body: { enabled: false } }),
  'the application is disabled': ({ application: { id } }) =>
    administrator.serve((ctx) => setApplicationEnabled(ctx, { id, enabled: false })),
  'the client is disabled': ({ clientId }) =>
    administrator.serve((ctx) => enableClient(ctx, { clientId, enabled: false })),
  'the client is deleted': ({ clientId }) => administrator.serve((ctx) => deleteClient(ctx, { clientId })),
}
const ofTheClient = new Set(['the application is disabled', 'the client is disabled', 'the client is deleted'])

describe('what ends by a commit is refused to every use that begins after it', () => {
  test.each(Object.entries(ends))('when %s', async (name, end) => {
    const worker = await working()
    worker.tokens = await refresh(worker)
    expect(await refused(client.fetchUserInfo(worker.config, worker.tokens.access_token, worker.user.id))).toBe(
      'allowed',
    )
    expect(await client.tokenIntrospection(worker.other, worker.tokens.access_token)).toMatchObject({ active: true })
    await agePersonsAccess(worker)
    await end(worker)
    expect(await answers(worker)).toEqual({
      userinfo: 'invalid_token',
      introspection: false,
      'introspection of the refresh token': false,
      refresh: ofTheClient.has(name) ? 'invalid_client' : 'invalid_grant',
    })
  })

  test.each(Object.entries(ends))('when %s among thirty refreshes', async (name, end) => {
    const worker = await working()
    await agePersonsAccess(worker)
    let isOver = false
    const outcomes = thirty(async () => {
      const began = isOver
      return { began, answer: await refused(refresh(worker)) }
    })
    const later = end(worker).then(async () => {
      isOver = true
      return thirty(async () => ({ began: true, answer: await refused(refresh(worker)) }))
    })
    const all = [...(await outcomes), ...(await later)]
    const refusal = ofTheClient.has(name) ? 'invalid_client' : 'invalid_grant'
    expect(new Set(all.flatMap(({ began, answer }) => (began ? answer : [])))).toEqual(new Set([refusal]))
    for (const { answer } of all) expect(['allowed', 'invalid_grant', refusal]).toContain(answer)
  })
})

/** Does `work` when this process is about to send the first statement like this, before it is sent. */
async function beforeStatement(pattern: RegExp, work: () => Promise<unknown>, during: () => Promise<unknown>) {
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown }
  const { query } = prototype
  let isDone = false
  prototype.query = function (this: unknown, ...args: unknown[]) {
    const [config] = args as [string | { text: string }]
    if (isDone || !pattern.test(typeof config === 'string' ? config : config.text)) return query.apply(this, args)
    isDone = true
    return work().then(() => query.apply(this, args))
  }
  try {
    return await during()
  } finally {
    prototype.query = query
    expect(isDone).toBe(true)
  }
}

describe('between the read of a token and its rotation', () => {
  const rotation = /^with used as/

  test('the end of the grant refuses the refresh', async () => {
    const worker = await working()
    const end = async () => ends['the consent is withdrawn']?.(worker)
    expect(await beforeStatement(rotation, end, () => refused(refresh(worker)))).toBe('invalid_grant')
    expect(await answers(worker)).toMatchObject({ introspection: false, refresh: 'invalid_grant' })
  })

  test('the same refresh by another request gives both the same answer', async () => {
    const worker = await working()
    let first: client.TokenEndpointResponse | undefined
    const second = await beforeStatement(
      rotation,
      async () => {
        first = await refresh(worker)
      },
      () => refresh(worker),
    )
    expect(second).toEqual(first)
  })

  test('the end of the session isn’t undone by the access', async () => {
    const worker = await working()
    await agePersonsAccess(worker)
    await beforeStatement(
      rotation,
      () => signOut(worker.browser),
      () => refused(refresh(worker)),
    )
    const [session] = await db().select().from(sessions).where(isTheirs(worker))
    expect(session?.endedAt).not.toBeNull()
    expect(session?.lastAccessAt.getTime()).toBeLessThan(Date.now() - 60_000)
    expect(await answers(worker)).toMatchObject({ introspection: false, refresh: 'invalid_grant' })
  })
})

describe('a refresh that counts an access', () => {
  test('waits for nobody who has locked the session, and who has ends it', async () => {
    const worker = await working()
    await agePersonsAccess(worker)
    await db().transaction(async (tx) => {
      await tx.update(sessions).set({ endedAt: new Date() }).where(isTheirs(worker))
      worker.tokens = await refresh(worker)
    })
    expect(await refused(refresh(worker))).toBe('invalid_grant')
  })

  test('holds no session while it waits for its token', async () => {
    const worker = await working()
    await agePersonsAccess(worker)
    const idHash = recordKey('RefreshToken', worker.tokens.refresh_token ?? '')
    const isWaiting = async () => {
      const { rows } = await db().execute(sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%with used as%'`)
      return rows.length === 1
    }
    let answer: Promise<string> | undefined
    const waiting = Promise.withResolvers<void>()
    const ending = db().transaction(async (tx) => {
      await tx.delete(oidcRecords).where(eq(oidcRecords.idHash, idHash))
      answer = refused(refresh(worker))
      await waiting.promise
      await tx.update(sessions).set({ endedAt: new Date() }).where(isTheirs(worker))
    })
    await expect.poll(isWaiting).toBe(true)
    waiting.resolve()
    await ending
    expect(await answer).toBe('invalid_grant')
  })
})
