import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { and, eq, inArray } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shellContext } from '@/bin/operator'
import { db } from '@/db/client'
import { applicationServiceMethods, applications, history, methods, oidcClients } from '@/db/schema'
import { ApplicationInput } from '@/lib/applications/applications/contract'
import { applicationId, createApplication } from '@/lib/applications/applications/service'
import { dropCached } from '@/lib/base/cache/cache'
import { parseOrThrow } from '@/lib/base/http/read'
import { deleteApplication } from '@/lib/openid/applications/service'
import { CreateClientInput } from '@/lib/openid/clients/contract'
import {
  createClient,
  enableClient,
  endPreviousSecret,
  readClientSecret,
  rotateClientSecret,
} from '@/lib/openid/clients/service'
import { Browser } from '../../factories/browser'
import { createContext } from '../../factories/context'
import { follow, issuer, redirectUri, request, startProvider } from '../../factories/oidc'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { bundled } from '../../setup/bundled'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

const administrator = () => createContext({ methods: ['applications.write'] })
const tile = { type: 'external', name: 'Графики', url: 'https://charts.example/' }
const application = (values: object = {}) => parseOrThrow(ApplicationInput, { ...tile, ...values })
const newClient = (values: object = {}) =>
  parseOrThrow(CreateClientInput, {
    clientId: `client-${randomUUID()}`,
    name: 'Графики',
    applicationType: 'web',
    idTokenAlg: 'RS256',
    redirectUris: [redirectUri],
    postLogoutRedirectUris: [],
    backchannelLogoutUri: null,
    grantTypes: ['authorization_code', 'refresh_token'],
    accessTokenLifespan: null,
    refreshTokenLifespan: null,
    authMethod: 'client_secret_basic',
    ...values,
  })

/** Returns the refusal: status, code and wrong fields. */
const refusal = (work: () => Promise<unknown>) =>
  Promise.resolve()
    .then(work)
    .then(
      () => 'allowed',
      ({ status, code, data }) => [
        status,
        code,
        ...(data?.errorList ?? []).map((fault: { field: string; code: string }) => `${fault.field} ${fault.code}`),
      ],
    )
const rows = async () => [await db().$count(applications), await db().$count(oidcClients), await db().$count(history)]

describe('an application', () => {
  test('gets a code from its name, is last in the order, and its creation is in the history', async () => {
    const first = await createApplication(await administrator(), application())
    const second = await createApplication(await administrator(), application())
    expect([first.code, second.code]).toEqual(['grafiki', 'grafiki-2'])
    const stored = await db()
      .select()
      .from(applications)
      .where(inArray(applications.id, [first.id, second.id]))
      .orderBy(applications.order)
    expect(stored.map(({ code }) => code)).toEqual(['grafiki', 'grafiki-2'])
    expect(stored[0]).toMatchObject({ ...tile, enabled: true, actionsAccess: 0, menuVisible: false })
    const changes = await db().select().from(history).where(eq(history.entityId, first.id))
    expect(changes.find(({ field }) => field === 'url')).toMatchObject({
      type: 'create',
      entity: 'applications',
      previous: null,
      current: 'https://charts.example/',
      changerId: '00000000-0000-4000-8000-000000000001',
    })
  })

  test('is refused with wrong fields, and nothing is stored', async () => {
    const { code } = await createApplication(await administrator(), application({ name: 'Taken' }))
    const link = await createApplication(await administrator(), application({ type: 'link', url: '/help' }))
    const before = await rows()
    const as = async (values: object) =>
      refusal(async () => createApplication(await administrator(), application(values)))
    expect(await as({ code })).toEqual([400, 'errorFields', 'code errorUnique'])
    expect(await as({ code: 'Графики' })).toEqual([400, 'errorFields', 'code errorLatin'])
    expect(await as({ name: '' })).toEqual([400, 'errorFields', 'name errorEmpty'])
    expect(await as({ type: 'internal' })).toEqual([400, 'errorFields', 'type errorInternal'])
    expect(await as({ type: 'other' })).toEqual([400, 'errorFields', 'type errorFormat'])
    expect(await as({ url: null })).toEqual([400, 'errorFields', 'url errorEmpty'])
    expect(await as({ parentId: randomUUID() })).toEqual([400, 'errorFields', 'parentId errorParent'])
    expect(await as({ parentId: link.id })).toEqual([400, 'errorFields', 'parentId errorParent'])
    for (const url of [
      'javascript:alert(1)',
      '//other.example',
      'https://a:b@c.example',
      'https://c.example/\\x',
      'https:c.example',
      'http:/c.example',
      'mailto:a@b.c',
    ])
      expect(await as({ url }), url).toEqual([400, 'errorFields', 'url errorApplicationAddress'])
    for (const values of [{}, { type: 'draft' }, { type: 'virtual', url: null }])
      expect(await as({ ...values, menuVisible: true })).toEqual([400, 'errorFields', 'menuVisible errorMenuVisible'])
    expect(await rows()).toEqual(before)
  })

  test('is stored once when thirty with one code are created at once', async () => {
    const ctx = await administrator()
    const made = await Promise.all(
      Array.from({ length: 30 }, () => refusal(() => createApplication(ctx, application({ code: 'raced' })))),
    )
    expect(made.filter((outcome) => outcome === 'allowed')).toHaveLength(1)
    expect(await db().$count(applications, eq(applications.code, 'raced'))).toBe(1)
  })

  test('needs applications.write', async () => {
    for (const [ctx, answer] of [
      [await createContext(), [401, 'unauthorized']],
      [await createContext({ methods: ['applications.read', 'domains.write'] }), [403, 'forbidden']],
    ] as const) {
      expect(await refusal(() => createApplication(ctx, application()))).toEqual(answer)
      expect(await refusal(() => createClient(ctx, newClient({ applicationId: randomUUID() })))).toEqual(answer)
      expect(await refusal(() => readClientSecret(ctx, { clientId: 'any' }))).toEqual(answer)
    }
  })
})

describe('a client', () => {
  const made = async () => createApplication(await administrator(), application())

  test('is refused with wrong fields, and nothing is stored', async () => {
    const { id: applicationId } = await made()
    const ctx = await administrator()
    const takenClient = newClient({ applicationId })
    await createClient(ctx, takenClient)
    const before = await rows()
    const as = (values: object) => refusal(() => createClient(ctx, newClient({ applicationId, ...values })))
    expect(await as({ clientId: takenClient.clientId })).toEqual([400, 'errorFields', 'clientId errorUnique'])
    expect(await as({ clientId: '' })).toEqual([400, 'errorFields', 'clientId errorEmpty'])
    expect(await as({ clientId: 'a b' })).toEqual([400, 'errorFields', 'clientId errorFormat'])
    expect(await as({ clientId: 'a'.repeat(65) })).toEqual([400, 'errorFields', 'clientId errorFormat'])
    expect(await as({ redirectUris: [] })).toEqual([400, 'errorFields', 'redirectUris errorEmpty'])
    expect(await as({ grantTypes: ['password'] })).toEqual([400, 'errorFields', 'grantTypes.0 errorGrant'])
    expect(await as({ grantTypes: ['client_credentials'], authMethod: 'none' })).toEqual([
      400,
      'errorFields',
      'grantTypes errorPublicClient',
    ])
    expect(await as({ authMethod: 'none', pkceRequired: false })).toEqual([
      400,
      'errorFields',
      'pkceRequired errorPkceNeeded',
    ])
    expect(await as({ applicationType: 'native', pkceRequired: false })).toEqual([
      400,
      'errorFields',
      'pkceRequired errorPkceNeeded',
    ])
    expect(await as({ redirectUris: ['com.example.app:/back'] })).toEqual([
      400,
      'errorFields',
      'redirectUris.0 errorNativeAddress',
    ])
    expect(await as({ applicationId: randomUUID() })).toEqual([404, 'notFound'])
    expect(await rows()).toEqual(before)
  })

  test('can’t be created by a caller who lacks a method of the application’s service account', async () => {
    const { id: applicationId } = await made()
    const [method] = await db().select().from(methods).where(eq(methods.code, 'users.write'))
    await db()
      .insert(applicationServiceMethods)
      .values({ applicationId, methodId: String(method?.id) })
    const ctx = await administrator()
    expect(await refusal(() => createClient(ctx, newClient({ applicationId })))).toEqual([403, 'forbiddenApplication'])
  })

  test('has a sealed secret, which is shown once, and later only with a row in the history', async () => {
    const { id: applicationId } = await made()
    const input = newClient({ applicationId })
    const { secret } = await createClient(await administrator(), input)
    expect(secret).toMatch(/^[\w-]{43,}$/)
    const [row] = await db().select().from(oidcClients).where(eq(oidcClients.clientId, input.clientId))
    const ofClient = and(eq(history.entity, 'oidcClients'), eq(history.entityId, String(row?.id)))
    expect(JSON.stringify([row, await db().select().from(history).where(ofClient)])).not.toContain(secret)

    const before = await db().$count(history, ofClient)
    expect(await readClientSecret(await administrator(), { clientId: input.clientId })).toEqual({ secret })
    expect(await db().$count(history, ofClient)).toBe(before + 1)
    expect(await refusal(async () => readClientSecret(await administrator(), { clientId: 'nobody' }))).toEqual([
      404,
      'notFound',
    ])
    const open = newClient({ applicationId, authMethod: 'none' })
    expect(await createClient(await administrator(), open)).toEqual({ secret: null })
    expect(await refusal(async () => readClientSecret(await administrator(), open))).toEqual([
      409,
      'clientWithoutSecret',
    ])
  })
})

describe('the shell', () => {
  test('ships internal applications, whose clients administrators can’t add to', async () => {
    const shell = await shellContext()
    const { id, code } = await createApplication(shell, application({ type: 'internal', menuVisible: true }))
    const values = newClient({ applicationId: id })
    await createClient(shell, values)
    const before = await rows()
    expect(await refusal(async () => createClient(await administrator(), newClient({ applicationId: id })))).toEqual([
      409,
      'applicationFixed',
    ])
    // read only means read only: neither its secrets change, nor does it go
    const admin = await administrator()
    const { clientId } = values
    for (const work of [
      () => readClientSecret(admin, { clientId }),
      () => rotateClientSecret(admin, { clientId, overlap: 0 }),
      () => endPreviousSecret(admin, { clientId }),
      () => enableClient(admin, { clientId, enabled: false }),
      () => deleteApplication(admin, { params: { id } }),
    ])
      expect(await refusal(work)).toEqual([409, 'applicationFixed'])
    expect(await rows()).toEqual(before)
    expect(await applicationId(code)).toBe(id)
  })

  test('leaves the platform’s own application unchanged', async () => {
    const platformId = await applicationId('platform')
    const shell = await shellContext()
    expect(await refusal(() => createClient(shell, newClient({ applicationId: platformId })))).toEqual([
      409,
      'applicationFixed',
    ])
  })

  /** Runs `platform <noun> <verb>`; returns what it prints, after its exit code if it fails. */
  const platform = async (command: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [bundled('bin/platform.ts'), ...command.split(' '), ...args]).then(
      ({ stdout }) => stdout,
      ({ stderr, code }) => `${code} ${stderr}`,
    )

  test('connects an application that can sign people in, by commands alone', async () => {
    const output = await platform(
      'application create',
      '--name',
      'Учёт времени',
      '--type',
      'internal',
      '--url',
      'https://app.example/',
    )
    expect(output).toContain('Application: uchet-vremeni')
    expect(await platform('client create', '--application', 'uchet-vremeni')).toContain('redirectUris')
    expect(await platform('client create', '--application', 'nothing', '--redirect', redirectUri)).toContain(
      '1 there is no application with the code nothing',
    )
    const made = await platform('client create', '--application', 'uchet-vremeni', '--redirect', redirectUri)
    const secret = String(/Client secret: (\S+)/.exec(made)?.[1])
    expect(await platform('client secret', '--client-id', 'uchet-vremeni')).toBe(`${secret}\n`)
    expect(await platform('client secret', '--client-id', 'uchet-vremeni', '--overlap', '1')).toContain('--replace')
    const next = (await platform('client secret', '--client-id', 'uchet-vremeni', '--replace')).trim()
    expect(next).not.toBe(secret)
    expect(await platform('client secret', '--client-id', 'uchet-vremeni')).toBe(`${next}\n`)
    dropCached('oidc-clients')

    const config = await client.discovery(
      new URL(issuer),
      'uchet-vremeni',
      undefined,
      client.ClientSecretBasic(secret),
      {
        execute: [client.allowInsecureRequests],
        [client.customFetch]: (address, init) => fetch(running.at(address), init as RequestInit),
      },
    )
    const browser = new Browser()
    const user = await createUser()
    await signInByPassword(browser, user.login, password)
    const { url, verifier } = await request(config)
    const { url: end } = await follow(running, browser, url)
    const tokens = await client.authorizationCodeGrant(config, end, {
      pkceCodeVerifier: verifier,
      expectedState: 'state',
    })
    expect(tokens.claims()?.sub).toBe(user.id)
  }, 60_000)

  test('prints its usage if an argument is missing', async () => {
    for (const command of ['application create', 'client create', 'client secret'])
      expect(await platform(command, '--unknown')).toMatch(new RegExp(`^2 .*\\n\\nplatform ${command}\\n`))
  }, 60_000)
})
