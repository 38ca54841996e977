import { and, eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { applicationServiceMethods, applications, history, methods, oidcClients } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { parseOrThrow } from '@/lib/base/http/read'
import { CreateClientInput, UpdateClientInput } from '@/lib/openid/clients/contract'
import {
  clientMetadata,
  enableClient,
  rotateClientSecret,
  updateClient,
  updateClientAuthMethod,
  updateClientKeys,
  updateClientPkce,
  usableClient,
} from '@/lib/openid/clients/service'
import ru from '@/messages/ru/oidc.json'
import { Browser } from '../../factories/browser'
import { createContext } from '../../factories/context'
import { createClient, follow, issuer, redirectUri, request, startProvider, visit } from '../../factories/oidc'
import { grant, holder, inProduction, machine, refusal, secret } from '../../factories/oidc-clients'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

describe('a client that is called as a property of every object', () => {
  // in a session of the provider its part would be Object's own: what is stored there, all people share
  const names = Object.getOwnPropertyNames(Object.prototype).filter((name) => /^[\w-]{1,64}$/.test(name))

  test.each(names)('%s is neither created nor usable', async (clientId) => {
    expect(CreateClientInput.safeParse({ clientId }).error?.issues).toContainEqual(
      expect.objectContaining({ path: ['clientId'], message: 'errorFormat' }),
    )
    const { clientId: stored } = await createClient(running, { secret })
    await db().update(oidcClients).set({ clientId }).where(eq(oidcClients.clientId, stored))
    await enableClient(await holder(), { clientId, enabled: true }).catch(() => undefined)
    dropCached('oidc-clients')
    expect(await usableClient(clientId)).toBeNull()
    expect(await clientMetadata(clientId, new Date())).toBeUndefined()
    await db().delete(oidcClients).where(eq(oidcClients.clientId, clientId))
  })
})

describe('a changed client', () => {
  const values = {
    name: 'Ledger',
    applicationType: 'web',
    redirectUris: [redirectUri],
    postLogoutRedirectUris: [],
    backchannelLogoutUri: null,
    grantTypes: ['authorization_code', 'refresh_token'],
    accessTokenLifespan: null,
    refreshTokenLifespan: null,
    idTokenAlg: 'RS256',
  }
  const input = (clientId: string, change: object = {}) =>
    parseOrThrow(UpdateClientInput, { clientId, ...values, ...change })

  test('takes effect at once: addresses, grants, lifespans, and whether it is enabled', async () => {
    const ctx = await holder()
    const { config, clientId } = await createClient(running, { secret })
    const elsewhere = 'https://new.example/callback'
    await updateClient(ctx, input(clientId, { redirectUris: [elsewhere] }))
    const statusAt = async (uri: string) => {
      const { url } = await request(config, { redirect_uri: uri })
      const answer = await visit(running, new Browser(), url)
      return answer.status
    }
    expect([await statusAt(redirectUri), await statusAt(elsewhere)]).toEqual([400, 303])

    expect(await grant(config)).toBe('unauthorized_client')
    await updateClient(ctx, input(clientId, { grantTypes: ['client_credentials'], redirectUris: [] }))
    expect(await client.clientCredentialsGrant(config)).toMatchObject({ expires_in: 600 })
    await updateClient(
      ctx,
      input(clientId, { grantTypes: ['client_credentials'], redirectUris: [], accessTokenLifespan: 77 }),
    )
    const tokens = await client.clientCredentialsGrant(config)
    expect(tokens).toMatchObject({ expires_in: 77 })

    await enableClient(ctx, { clientId, enabled: false })
    expect(await grant(config)).toBe('401')
    const other = await createClient(running, machine)
    expect(await client.tokenIntrospection(other.config, tokens.access_token)).toEqual({ active: false })
    await enableClient(ctx, { clientId, enabled: true })
    expect(await grant(config)).toBe('allowed')

    const [row] = await db().select().from(oidcClients).where(eq(oidcClients.clientId, clientId))
    const rows = await db()
      .select()
      .from(history)
      .where(and(eq(history.entityId, row?.id ?? ''), eq(history.entity, 'oidcClients')))
      .orderBy(history.id)
    expect(rows.filter(({ field }) => field !== 'name').map(({ field, current }) => [field, current])).toEqual([
      ['redirectUris', [elsewhere]],
      ['redirectUris', []],
      ['grantTypes', ['client_credentials']],
      ['accessTokenLifespan', 77],
      ['enabled', false],
      ['enabled', true],
    ])
  })

  test('redirects nobody to an address that it no longer has, even during a sign-in', async () => {
    const { config, clientId } = await createClient(running, { secret })
    const [user, browser] = [await createUser(), new Browser()]
    const onTheWay = async () => {
      const { url } = await request(config)
      const { url: page } = await follow(running, browser, url)
      expect(page.pathname).toBe('/platform/login')
      return page.searchParams.get('path') ?? ''
    }
    const path = await onTheWay()
    await updateClient(await holder(), input(clientId, { redirectUris: ['https://new.example/callback'] }))
    await signInByPassword(browser, user.login, password)
    const end = await follow(running, browser, path)
    expect([end.status, end.url.origin]).toEqual([400, new URL(issuer).origin])
    expect(end.body).toContain(ru.oidc.failure.address.title)
  })

  test('reports wrong values by field', async () => {
    const ctx = await holder()
    const { clientId } = await createClient(running)
    const fault = (change: object) => refusal((async () => updateClient(ctx, input(clientId, change)))())
    const bad = (field: string, code: string) => ({ status: 400, fields: [`${field} ${code}`] })
    for (const address of [
      'app.example/callback',
      '/callback',
      'http://app.example/callback',
      'http://127.0.0.1.evil.example/',
      'https://app.example/#part',
      'https://app.example/#',
      'https://user:pass@app.example/',
      'https:\\\\app.example',
      'https:app.example/callback',
      'https:/app.example/callback',
      'https:///app.example/callback',
      'javascript:alert(1)',
      'myapp:/callback',
    ])
      expect(await fault({ redirectUris: [address] }), address).toMatchObject(
        bad('redirectUris.0', 'errorClientAddress'),
      )
    for (const [change, field, code] of [
      [{ redirectUris: [redirectUri, redirectUri] }, 'redirectUris.1', 'errorDuplicate'],
      [{ redirectUris: [] }, 'redirectUris', 'errorEmpty'],
      [{ postLogoutRedirectUris: ['http://app.example'] }, 'postLogoutRedirectUris.0', 'errorClientAddress'],
      [{ backchannelLogoutUri: 'http://10.0.0.1/' }, 'backchannelLogoutUri', 'errorClientAddress'],
      [{ grantTypes: [] }, 'grantTypes', 'errorEmpty'],
      [{ grantTypes: ['password'] }, 'grantTypes.0', 'errorGrant'],
      [{ grantTypes: ['implicit'] }, 'grantTypes.0', 'errorGrant'],
      [{ grantTypes: ['refresh_token'] }, 'grantTypes', 'errorRefreshGrant'],
      [{ grantTypes: ['client_credentials'] }, 'grantTypes', 'errorPublicClient'],
      [{ accessTokenLifespan: 0 }, 'accessTokenLifespan', 'errorRange'],
      [{ accessTokenLifespan: 1.5 }, 'accessTokenLifespan', 'errorFormat'],
      [{ accessTokenLifespan: 7 * 86_400 + 1 }, 'accessTokenLifespan', 'errorRange'],
      [{ refreshTokenLifespan: 600 }, 'refreshTokenLifespan', 'errorRefreshTokenLifespan'],
      [{ accessTokenLifespan: 7 * 86_400 }, 'accessTokenLifespan', 'errorRefreshTokenLifespan'],
      [{ name: ' ' }, 'name', 'errorEmpty'],
      [{ idTokenAlg: 'none' }, 'idTokenAlg', 'errorFormat'],
      [{ idTokenAlg: 'HS256' }, 'idTokenAlg', 'errorFormat'],
      [{ secrets: [] }, 'secrets', 'errorUnknownField'],
    ] as [object, string, string][])
      expect(await fault(change), JSON.stringify(change)).toMatchObject(bad(field, code))
    const local = 'http://localhost:4001/logout'
    expect(await inProduction(() => fault({ backchannelLogoutUri: local }))).toMatchObject(
      bad('backchannelLogoutUri', 'errorClientAddress'),
    )
    expect(await fault({ backchannelLogoutUri: local, redirectUris: ['http://[::1]:5/cb'] })).toBe('allowed')
    const stale = new Date(0).toISOString()
    expect(await fault({ updatedAt: stale })).toMatchObject({ status: 409, code: 'conflict' })
    expect(await refusal(updateClient(ctx, input('nobody')))).toMatchObject({ status: 404 })
  })

  test('is refused without the right, without a method of its service account, and if clients are read-only', async () => {
    const { clientId, application } = await createClient(running, { secret })
    const everything = (ctx: Awaited<ReturnType<typeof holder>>) => [
      enableClient(ctx, { clientId, enabled: true }),
      rotateClientSecret(ctx, { clientId, overlap: 60 }),
      updateClientAuthMethod(ctx, { clientId, authMethod: 'client_secret_post' }),
      updateClientKeys(ctx, { clientId, jwksUri: 'https://app.example/jwks' }),
      updateClient(ctx, input(clientId)),
      updateClientPkce(ctx, { clientId, required: true }),
    ]
    const outcomes = async (ctx: Awaited<ReturnType<typeof holder>>) => {
      const all = await Promise.all(everything(ctx).map(refusal))
      return new Set(all.map((each) => (typeof each === 'string' ? each : `${each.status} ${each.code}`)))
    }
    expect(await outcomes(await createContext())).toEqual(new Set(['401 unauthorized']))
    expect(await outcomes(await createContext({ methods: ['applications.read'] }))).toEqual(new Set(['403 forbidden']))
    const [method] = await db().select().from(methods).where(eq(methods.code, 'users.write'))
    await db()
      .insert(applicationServiceMethods)
      .values({ applicationId: application.id, methodId: method?.id ?? '' })
    expect(await outcomes(await holder())).toEqual(new Set(['403 forbiddenApplication']))
    const both = await createContext({ methods: ['applications.write', 'users.write'] })
    await db().update(applications).set({ actionsAccess: 1 }).where(eq(applications.id, application.id))
    expect(await outcomes(both)).toEqual(new Set(['409 applicationFixed']))
    await db().update(applications).set({ actionsAccess: 2 }).where(eq(applications.id, application.id))
    expect(await outcomes(both)).toEqual(new Set(['409 applicationFixed']))
    await db().update(applications).set({ actionsAccess: 0 }).where(eq(applications.id, application.id))
    expect(await enableClient(both, { clientId, enabled: true })).toBeUndefined()
  })
})

test('a removed client leads to our own error page', async () => {
  const { config, clientId } = await createClient(running)
  await enableClient(await holder(), { clientId, enabled: false })
  const { url } = await request(config)
  expect((await follow(running, new Browser(), url)).status).toBeGreaterThanOrEqual(400)
})
