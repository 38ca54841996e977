import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { applicationServiceMethods, applications, history, methods, networkAliases, oidcRecords } from '@/db/schema'
import { systemicMethods } from '@/lib/base/access/access-methods'
import type { Contract } from '@/lib/base/contracts/contract'
import { encrypt } from '@/lib/base/crypto/encryption'
import {
  createContractor,
  enableContractor,
  listContractors,
  readContractor,
} from '@/lib/companies/contractors/contract'
import { createOrganization, listOrganizations } from '@/lib/companies/organizations/contract'
import { createNetworkAlias, listNetworkAliases } from '@/lib/network/network-aliases/contract'
import { enableClient } from '@/lib/openid/clients/service'
import { updateServiceMethods } from '@/lib/openid/service-accounts/service'
import { payloadOf, recordKey } from '@/lib/openid/token-store/encrypted-record'
import { createDeviceType, listDeviceTypes } from '@/lib/site/device-types/contract'
import { getProjectInfo } from '@/lib/site/project-info/contract'
import { signedInWith } from '../../factories/access'
import { createContext } from '../../factories/context'
import { createClient, startProvider } from '../../factories/oidc'
import { codeFor } from '../../factories/oidc-clients'
import { takeRedisAway } from '../../factories/redis-away'
import { handlerOf } from '../../factories/routes'
import { callAs, createServiceAccount, holdMethods } from '../../factories/service-accounts'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

const call = (token: string, contract: Contract, what: Parameters<typeof callAs>[3] = {}) =>
  callAs(token, handlerOf(contract), contract, what)
const alias = () => ({ name: `alias ${randomUUID()}`, ips: [{ ip: '192.0.2.1' }] })

const refused = { status: 401, body: { code: 'invalidToken' } }
const challenge = 'Bearer error="invalid_token"'

test('its changes are in the history under its application', async () => {
  const { application, token } = await createServiceAccount(running, ['network-aliases.write', 'device-types.write'])
  const { status, body } = await call(token, createNetworkAlias, { body: alias(), ip: '198.51.100.20' })
  expect(status).toBe(200)
  const rows = await db()
    .select()
    .from(history)
    .where(eq(history.entityId, String(body.id)))
  expect(new Set(rows.map(({ changerId, ip }) => `${changerId} ${ip}`))).toEqual(
    new Set([`${application.id} 198.51.100.20`]),
  )
  const list = await call(token, listNetworkAliases, { query: { 'filter[search]': rows[0] ? 'alias' : '' } })
  expect(list).toMatchObject({ status: 200, body: { meta: { perPage: 20 } } })
  expect((await call(token, createDeviceType, { body: { name: 'Сканер' } })).status).toBe(200)
})

test('a program keeps organizations and contractors by its methods, and is refused without them', async () => {
  const { application, token } = await createServiceAccount(running, ['organizations.write', 'contractors.write'])
  const requisites = { inn: '7707083893', kpp: '770701001' }
  const organization = await call(token, createOrganization, { body: { name: 'АО «Программа»' } })
  const contractor = await call(token, createContractor, {
    body: { name: 'ООО «Программа»', ...requisites, availableOrganizations: [organization.body.id] },
  })
  expect([organization.status, contractor.status]).toEqual([200, 200])
  const ofContractor = { params: { id: String(contractor.body.id) } }
  const read = await call(token, readContractor, ofContractor)
  const available = [{ id: organization.body.id }]
  expect(read.body).toMatchObject({ name: 'ООО «Программа»', ...requisites, availableOrganizations: available })
  const listed = await call(token, listOrganizations, { query: { 'filter[search]': 'Программа' } })
  expect(listed.body.organizations).toMatchObject([{ id: organization.body.id, contractors: { count: 1 } }])
  expect((await call(token, enableContractor, { ...ofContractor, body: { enabled: false } })).status).toBe(200)

  await holdMethods(application.id, ['organizations.read', 'contractors.read'])
  expect((await call(token, listContractors)).status).toBe(200)
  const writes = [
    call(token, createOrganization, { body: { name: 'АО «Другая»' } }),
    call(token, createContractor, { body: { name: 'ООО «Другая»' } }),
    call(token, enableContractor, { ...ofContractor, body: { enabled: true } }),
  ]
  expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([403, 403, 403])
  await holdMethods(application.id, ['roles.write'])
  const reads = [
    call(token, listContractors),
    call(token, listOrganizations),
    call(token, readContractor, ofContractor),
  ]
  expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([403, 403, 403])
})

describe('which tokens are accepted', () => {
  test('cookies beside a token are ignored', async () => {
    const { browser } = await signedInWith(['network-aliases.write', 'device-types.read'])
    const { token } = await createServiceAccount(running, ['device-types.read'])
    expect((await call(token, listDeviceTypes, { browser })).status).toBe(200)
    expect((await call(token, createNetworkAlias, { browser, body: alias() })).status).toBe(403)
    const wrong = await call('wrong', listDeviceTypes, { browser })
    expect(wrong).toMatchObject(refused)
    expect(wrong.headers.get('www-authenticate')).toBe(challenge)
    expect(wrong.headers.getSetCookie()).toEqual([])
    // without the token the same browser needs a valid origin, as always
    const bare = await browser.send(handlerOf(createNetworkAlias), 'POST', {
      body: alias(),
      headers: { 'sec-fetch-site': '' },
    })
    expect(bare).toMatchObject({ status: 403, body: { code: 'forbiddenOrigin' } })
    expect(bare.headers.get('www-authenticate')).toBeNull()
  })

  test('an idempotency key belongs to one client', async () => {
    const [one, two] = [
      await createServiceAccount(running, ['network-aliases.write']),
      await createServiceAccount(running, ['network-aliases.write']),
    ]
    const { browser } = await signedInWith(['network-aliases.write'])
    const headers = { 'idempotency-key': randomUUID() }
    const body = alias()
    const first = await call(one.token, createNetworkAlias, { body, headers })
    expect(await call(one.token, createNetworkAlias, { body, headers })).toMatchObject({
      status: 200,
      body: first.body,
    })
    // other callers get the error that the name is taken, not the stored answer
    const again = { status: 400, body: { data: { errorList: [{ field: 'name', code: 'errorUnique' }] } } }
    expect(await call(two.token, createNetworkAlias, { body, headers })).toMatchObject(again)
    expect(await browser.send(handlerOf(createNetworkAlias), 'POST', { body, headers })).toMatchObject(again)
    expect(await db().$count(networkAliases, eq(networkAliases.name, body.name))).toBe(1)
  })

  test('tokens of people, of other kinds and invalid ones are refused', async () => {
    const { user, browser } = await signedInWith(['device-types.read'])
    const { config, clientId } = await createClient(running, {
      secret: 'a secret of forty-three characters or thereabouts',
      grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
    })
    const tokens = await (await codeFor(running, browser, config))()
    expect(await client.fetchUserInfo(config, tokens.access_token, user.id)).toMatchObject({ sub: user.id })
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const exp = Math.floor(Date.now() / 1000) + 600
    const unsigned = `${part({ alg: 'none', typ: 'at+jwt' })}.${part({ client_id: clientId, sub: clientId, exp })}.`
    const wrong = {
      'an access token of somebody': tokens.access_token,
      'a refresh token': tokens.refresh_token ?? '',
      'an ID token': tokens.id_token ?? '',
      'an unsigned JWT': unsigned,
      garbage: 'x'.repeat(43),
      nothing: '',
      'two of them': `${tokens.access_token} ${tokens.access_token}`,
      'a null byte': '%00',
      'four kilobytes': 'y'.repeat(4096),
    }
    for (const [name, token] of Object.entries(wrong)) {
      const answer = await call(token, listDeviceTypes)
      expect(answer, name).toMatchObject(refused)
      expect(answer.headers.get('www-authenticate'), name).toBe(challenge)
    }
    // a public call doesn't accept them either
    expect(await call('garbage', getProjectInfo)).toMatchObject(refused)
  })

  test('a token bound to a key isn’t accepted as a bearer token', async () => {
    const { config } = await createServiceAccount(running, ['device-types.read'])
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair())
    const bound = await client.clientCredentialsGrant(config, undefined, { DPoP })
    expect(bound.token_type).toBe('dpop')
    expect(await call(bound.access_token, listDeviceTypes)).toMatchObject(refused)
    expect(await call(bound.access_token, listDeviceTypes, { scheme: 'DPoP' })).toMatchObject(refused)
  })

  test('a token for another audience, a revoked and an expired one are refused', async () => {
    const { config, token } = await createServiceAccount(running, ['device-types.read'])
    const idHash = recordKey('ClientCredentials', token)
    const mine = eq(oidcRecords.idHash, idHash)
    const [row] = await db().select().from(oidcRecords).where(mine)
    if (!row) throw new Error('the token is not stored')
    expect(JSON.stringify(row)).not.toContain(token)
    expect((await call(token, listDeviceTypes)).status).toBe(200)
    const elsewhere = JSON.stringify({ ...payloadOf(row), aud: 'https://app.example/' })
    await db()
      .update(oidcRecords)
      .set({ payload: encrypt('oidc', elsewhere, idHash) })
      .where(mine)
    expect(await call(token, listDeviceTypes)).toMatchObject(refused)
    await db()
      .update(oidcRecords)
      .set({ payload: row.payload, expiresAt: new Date(Date.now() - 1) })
      .where(mine)
    expect(await call(token, listDeviceTypes)).toMatchObject(refused)
    await db().update(oidcRecords).set({ expiresAt: row.expiresAt }).where(mine)
    expect((await call(token, listDeviceTypes)).status).toBe(200)
    await client.tokenRevocation(config, token)
    expect(await call(token, listDeviceTypes)).toMatchObject(refused)
  })

  test('if its application names addresses, a token works only from these', async () => {
    const { application, token } = await createServiceAccount(running, ['device-types.read'])
    const from = async (ip: string) => (await call(token, listDeviceTypes, { ip })).status
    expect([await from('203.0.113.200'), await from('2001:db8::1')]).toEqual([200, 200])
    await db()
      .update(applications)
      .set({ ip: ['198.51.100.0/24', '192.0.2.7/32', '2001:db8:1::/48'] })
      .where(eq(applications.id, application.id))
    const table = {
      '198.51.100.0': 200,
      '198.51.100.255': 200,
      '198.51.101.0': 401,
      '192.0.2.7': 200,
      '192.0.2.8': 401,
      '2001:db8:1:ffff::1': 200,
      '2001:db8:2::1': 401,
      '::ffff:198.51.101.1': 401,
      'no address': 401,
      '': 401,
    }
    for (const [ip, status] of Object.entries(table)) expect(await from(ip), ip).toBe(status)
    // an address that a client claims doesn't count
    const headers = { 'x-forwarded-for': '192.0.2.7' }
    expect((await call(token, listDeviceTypes, { ip: '203.0.113.200', headers })).status).toBe(401)
  })

  test('tokens work without Redis too', async () => {
    const { token } = await createServiceAccount(running, ['device-types.read'])
    const bringBack = takeRedisAway()
    try {
      expect((await call(token, listDeviceTypes)).status).toBe(200)
      expect(await call(`${token}x`, listDeviceTypes)).toMatchObject(refused)
    } finally {
      bringBack()
    }
  })

  test('no token works once its client may not use client_credentials any more', async () => {
    const { application, clientId, token } = await createServiceAccount(running, ['device-types.read'])
    const ctx = await createContext({ methods: ['applications.write', 'device-types.read'] })
    await enableClient(ctx, { clientId, enabled: false })
    expect(await call(token, listDeviceTypes)).toMatchObject(refused)
    await enableClient(ctx, { clientId, enabled: true })
    expect((await call(token, listDeviceTypes)).status).toBe(200)
    await db().update(applications).set({ type: 'draft' }).where(eq(applications.id, application.id))
    expect(await call(token, listDeviceTypes)).toMatchObject(refused)
  })
})

describe('granting methods', () => {
  const idsOf = async (...codes: string[]) => {
    const rows = await db().select().from(methods).where(inArray(methods.code, codes))
    return codes.map((code) => rows.find((row) => row.code === code)?.id ?? randomUUID())
  }
  const outcome = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      ({ status, code, data }) => [
        `${status} ${code}`,
        ...(data?.errorList ?? []).map((fault: { field: string; code: string }) => `${fault.field} ${fault.code}`),
      ],
    )
  const heldMethods = async (applicationId: string) => {
    const rows = await db()
      .select({ code: methods.code })
      .from(applicationServiceMethods)
      .innerJoin(methods, eq(methods.id, applicationServiceMethods.methodId))
      .where(eq(applicationServiceMethods.applicationId, applicationId))
    return rows.map(({ code }) => code).sort()
  }

  test('nobody grants a method that they don’t hold, or changes a person who holds one', async () => {
    const { application } = await createClient(running, { methods: ['ledger.read'] })
    const applicationId = application.id
    const set = (callerMethods: string[] | undefined, methodIds: string[], id = applicationId) =>
      createContext({ methods: callerMethods }).then((ctx) =>
        outcome(updateServiceMethods(ctx, { applicationId: id, methodIds })),
      )
    const [users, aliases, master, ledger] = await idsOf(
      'users.read',
      'network-aliases.read',
      'masterAccountAccess',
      'ledger.read',
    )
    if (!users || !aliases || !master || !ledger) throw new Error('a method is missing')

    expect(await set(undefined, [users])).toEqual(['401 unauthorized'])
    expect(await set(['applications.read', 'users.read'], [users])).toEqual(['403 forbidden'])
    const plain = ['applications.write', 'network-aliases.read']
    expect(await set(plain, [aliases, users, ledger])).toEqual([
      '403 forbiddenMethod',
      'methodIds.1 forbiddenMethod',
      'methodIds.2 forbiddenMethod',
    ])
    expect(await set([...systemicMethods], [master, aliases, randomUUID()])).toEqual([
      '400 errorFields',
      'methodIds.0 errorMethod',
      'methodIds.2 errorMethod',
    ])
    expect(await set(plain, [], randomUUID())).toEqual(['404 notFound'])
    expect(await heldMethods(applicationId)).toEqual([])

    expect(await set(plain, [aliases])).toBe('done')
    expect(await set(plain, [aliases])).toBe('done')
    expect(await set([...plain, 'users.read'], [users, aliases])).toBe('done')
    expect(await set(plain, [])).toEqual(['403 forbiddenApplication'])
    expect(await heldMethods(applicationId)).toEqual(['network-aliases.read', 'users.read'])
    await db().update(applications).set({ actionsAccess: 2 }).where(eq(applications.id, applicationId))
    expect(await set([...systemicMethods], [])).toEqual(['409 applicationFixed'])
    await db().update(applications).set({ actionsAccess: 1 }).where(eq(applications.id, applicationId))
    expect(await set([...systemicMethods], [])).toBe('done')

    const rows = await db()
      .select({ field: history.field, previous: history.previous, current: history.current })
      .from(history)
      .where(and(eq(history.entity, 'applications'), eq(history.entityId, applicationId)))
      .orderBy(history.id)
    const [one, both] = [['network-aliases.read'], ['network-aliases.read', 'users.read']]
    expect(rows).toEqual([
      { field: 'serviceMethods', previous: [], current: one },
      { field: 'serviceMethods', previous: one, current: both },
      { field: 'serviceMethods', previous: both, current: [] },
    ])
  })

  test('a service account is subject to the same rule', async () => {
    const { application } = await createClient(running)
    const [users, aliases] = await idsOf('users.read', 'network-aliases.read')
    const [itself, user, method] = [randomUUID(), users ?? '', aliases ?? '']
    const ctx = {
      ...(await createContext()),
      service: {
        applicationId: itself,
        clientId: 'itself',
        methods: new Set(['applications.write', 'network-aliases.read']),
        methodIds: new Set<string>(),
      },
    }
    const set = (methodIds: string[]) =>
      outcome(updateServiceMethods(ctx, { applicationId: application.id, methodIds }))
    expect(await set([user])).toEqual(['403 forbiddenMethod', 'methodIds.0 forbiddenMethod'])
    expect(await set([method])).toBe('done')
    const [row] = await db().select().from(history).where(eq(history.entityId, application.id))
    expect(row?.changerId).toBe(itself)
  })
})
