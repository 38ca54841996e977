import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { applications, history } from '@/db/schema'
import { setUserEnabled } from '@/lib/accounts/users/enable'
import { isApplicationAddress, setApplicationEnabled } from '@/lib/applications/applications/service'
import { serviceItems } from '@/lib/applications/menu/service'
import { systemicMethods } from '@/lib/base/access/access-methods'
import { enableClient } from '@/lib/openid/clients/service'
import { listDeviceTypes } from '@/lib/site/device-types/contract'
import { domainByHost } from '@/lib/site/domains/service'
import { Browser } from '../../factories/browser'
import { createContext } from '../../factories/context'
import { createClient, follow, redirectUri, request, startProvider, visit } from '../../factories/oidc'
import { codeFor, refusalOf } from '../../factories/oidc-clients'
import { deviceGrant, devicePages } from '../../factories/oidc-device'
import { handlerOf } from '../../factories/routes'
import { callAs, holdMethods } from '../../factories/service-accounts'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const deviceTypes = handlerOf(listDeviceTypes)

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

const administrator = () => createContext({ methods: [...systemicMethods] })

/** A person signed in at an application whose client may do everything, with everything that can be issued. */
async function everything() {
  const [user, browser] = [await createUser(), new Browser()]
  await signInByPassword(browser, user.login, password)
  const made = await createClient(running, {
    secret: `secret ${randomUUID()}`,
    grantTypes: ['authorization_code', 'refresh_token', 'client_credentials', deviceGrant],
  })
  await holdMethods(made.application.id, ['device-types.read'])
  const tokens = await (await codeFor(running, browser, made.config))()
  const useCode = await codeFor(running, browser, made.config)
  const ownTokens = await client.clientCredentialsGrant(made.config)
  const device = await client.initiateDeviceAuthorization(made.config, { scope: 'openid profile' })
  const { location } = await devicePages(running).approve(browser, device.user_code)
  await follow(running, browser, location ?? '')
  return { ...made, user, browser, tokens, useCode, ownTokens, device }
}
type Made = Awaited<ReturnType<typeof everything>>

/** An application that stays enabled and introspects tokens of others. */
const onlooker = () =>
  createClient(running, { secret: `secret ${randomUUID()}`, redirectUris: [], grantTypes: ['client_credentials'] })

/** Each way to use what was issued; `allowed` or the error. */
const uses: Record<string, (made: Made, other: client.Configuration) => Promise<string>> = {
  'an access token at userinfo': ({ config, tokens, user }) =>
    refusalOf(client.fetchUserInfo(config, tokens.access_token, user.id)),
  'an access token at introspection': async ({ tokens }, other) =>
    (await client.tokenIntrospection(other, tokens.access_token)).active ? 'allowed' : 'inactive',
  'a refresh token at introspection': async ({ tokens }, other) =>
    (await client.tokenIntrospection(other, tokens.refresh_token ?? '')).active ? 'allowed' : 'inactive',
  'a client’s own token at introspection': async ({ ownTokens }, other) =>
    (await client.tokenIntrospection(other, ownTokens.access_token)).active ? 'allowed' : 'inactive',
  'a client’s own token at the platform': async ({ ownTokens }) => {
    const { status } = await callAs(ownTokens.access_token, deviceTypes, listDeviceTypes)
    return status === 200 ? 'allowed' : String(status)
  },
  client_credentials: ({ config }) => refusalOf(client.clientCredentialsGrant(config)),
  'an authorization code': ({ useCode }) => refusalOf(useCode()),
  'an authorization request': async ({ config, browser }) => {
    const { url } = await request(config)
    const { url: end } = await follow(running, browser, url)
    return end.href.startsWith(redirectUri) && end.searchParams.has('code') ? 'allowed' : 'refused'
  },
  'a device’s code': ({ config, device }) =>
    refusalOf(client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.001 })),
  'a request for a device’s code': ({ config }) =>
    refusalOf(client.initiateDeviceAuthorization(config, { scope: 'openid' })),
  'a pushed authorization request': async ({ config }) => {
    const { url } = await request(config)
    return refusalOf(client.buildAuthorizationUrlWithPAR(config, url.searchParams))
  },
  // must be last, because it uses up its token
  'a refresh token': ({ config, tokens }) => refusalOf(client.refreshTokenGrant(config, tokens.refresh_token ?? '')),
}
const ofTheClient = [
  'a client’s own token at introspection',
  'a client’s own token at the platform',
  'client_credentials',
  'a request for a device’s code',
  'a pushed authorization request',
]

/** Returns which of these still work. */
async function allowed(made: Made) {
  const { config: other } = await onlooker()
  const names: string[] = []
  for (const [name, use] of Object.entries(uses)) if ((await use(made, other)) === 'allowed') names.push(name)
  return names
}

describe('disabling ends everything that was issued', () => {
  test('everything works before', async () => {
    expect(await allowed(await everything())).toEqual(Object.keys(uses))
  })

  const ends: [string, (made: Made) => Promise<unknown>, string[]][] = [
    ['client', async ({ clientId }) => enableClient(await administrator(), { clientId, enabled: false }), []],
    [
      'application',
      async ({ application: { id } }) => setApplicationEnabled(await administrator(), { id, enabled: false }),
      [],
    ],
    [
      'user',
      async ({ user }) => setUserEnabled(await administrator(), { userId: user.id, enabled: false }),
      // the client has made no mistake
      ofTheClient,
    ],
  ]
  test.each(ends)('nothing works with a disabled %s', async (_, end, stillAllowed) => {
    const made = await everything()
    await end(made)
    expect(await allowed(made)).toEqual(stillAllowed)
  })

  test('enabled again, a client and its application continue', async () => {
    const made = await everything()
    const { clientId, application } = made
    const ctx = await administrator()
    await enableClient(ctx, { clientId, enabled: false })
    await setApplicationEnabled(ctx, { id: application.id, enabled: false })
    await enableClient(ctx, { clientId, enabled: true })
    expect(await allowed(made)).toEqual([])
    await setApplicationEnabled(ctx, { id: application.id, enabled: true })
    const { url } = await request(made.config)
    expect((await visit(running, made.browser, url)).status).toBe(303)
    expect(await refusalOf(client.clientCredentialsGrant(made.config))).toBe('allowed')
  })
})

describe('an application', () => {
  const outcome = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      ({ status, code }) => `${status} ${code}`,
    )

  test('is enabled and disabled in menus too, with history', async () => {
    const { application } = await createClient(running)
    const { id } = application
    await db()
      .update(applications)
      .set({ menuVisible: true, url: 'https://ledger.example/' })
      .where(eq(applications.id, id))
    const ctx = await administrator()
    const state = async () => {
      const items = await serviceItems({ methodIds: new Set() }, await domainByHost('localhost'))
      const item = items.find((one) => one.id === id)
      return [item?.disabled, await isApplicationAddress('https://ledger.example/orders')]
    }
    await setApplicationEnabled(ctx, { id, enabled: true })
    await setApplicationEnabled(ctx, { id, enabled: false })
    expect(await state()).toEqual([true, false])
    await setApplicationEnabled(ctx, { id, enabled: true })
    expect(await state()).toEqual([false, true])
    const rows = await db()
      .select()
      .from(history)
      .where(and(eq(history.entity, 'applications'), eq(history.entityId, id)))
      .orderBy(history.id)
    expect(rows.map(({ type, field, previous, current }) => [type, field, previous, current])).toEqual([
      ['update', 'enabled', true, false],
      ['update', 'enabled', false, true],
    ])
  })

  test('is disabled by people with the right, unless it is shipped', async () => {
    const { application } = await createClient(running)
    const { id } = application
    const close = async (methods?: string[], which = id) =>
      outcome(setApplicationEnabled(await createContext({ methods }), { id: which, enabled: false }))
    expect(await close()).toBe('401 unauthorized')
    expect(await close(['applications.read'])).toBe('403 forbidden')
    expect(await close(['applications.write'], randomUUID())).toBe('404 notFound')
    await holdMethods(id, ['users.write'])
    expect(await close(['applications.write'])).toBe('403 forbiddenApplication')
    await db().update(applications).set({ actionsAccess: 2 }).where(eq(applications.id, id))
    expect(await close([...systemicMethods])).toBe('409 applicationFixed')
    await db().update(applications).set({ actionsAccess: 1, immutable: true }).where(eq(applications.id, id))
    expect(await close([...systemicMethods])).toBe('done')
  })
})
