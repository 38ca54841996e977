import { createHmac, createSign, randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, oidcClients } from '@/db/schema'
import { parseOrThrow } from '@/lib/base/http/read'
import { redis } from '@/lib/base/redis/redis'
import { UpdateClientKeysInput } from '@/lib/openid/clients/contract'
import {
  enableClient,
  rotateClientSecret,
  updateClientAuthMethod,
  updateClientKeys,
} from '@/lib/openid/clients/service'
import { createContext } from '../../factories/context'
import { createClient, issuer, startProvider } from '../../factories/oidc'
import { grant, holder, inProduction, machine, proving, refusal, secret } from '../../factories/oidc-clients'
import { keysWithoutEnd } from '../../factories/redis-keys'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

type Pair = { privateKey: CryptoKey; jwk: Record<string, unknown> }
const kinds = {
  RS256: { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  EdDSA: { name: 'Ed25519' },
}
async function pair(kind: keyof typeof kinds = 'ES256', kid: string = randomUUID()): Promise<Pair> {
  const made = (await crypto.subtle.generateKey(kinds[kind], true, ['sign', 'verify'])) as CryptoKeyPair
  const exported = await crypto.subtle.exportKey('jwk', made.publicKey)
  return { privateKey: made.privateKey, jwk: { ...exported, kid } }
}
const byKey = (config: client.Configuration, { privateKey, jwk }: Pair) =>
  proving(config, client.PrivateKeyJwt({ key: privateKey, kid: String(jwk.kid) }))

/** An assertion made by hand, because no library makes it. */
function assertion(clientId: string, header: object, claims: object, sign: (text: string) => Buffer) {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  const payload = { iss: clientId, sub: clientId, aud: issuer, jti: randomUUID(), iat: now, exp: now + 60, ...claims }
  const text = `${part(header)}.${part(payload)}`
  return `${text}.${sign(text).toString('base64url')}`
}
const withAssertion = async (value: string) => {
  const answer = await fetch(running.at('/oidc/token'), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: value,
    }),
  })
  return [answer.status, (await answer.json()).error ?? 'allowed']
}

async function listen(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  return { port: (server.address() as AddressInfo).port, stop: () => server.close() }
}

/** A client with its own RSA key, and a function that signs with it. */
async function signing() {
  const { clientId } = await createClient(running, machine)
  const keyPair = (await crypto.subtle.generateKey(kinds.RS256, true, ['sign', 'verify'])) as CryptoKeyPair
  const jwk = { ...(await crypto.subtle.exportKey('jwk', keyPair.publicKey)) } as Record<string, unknown>
  await updateClientKeys(await holder(), { clientId, jwks: { keys: [jwk] } })
  const pem = Buffer.from(await crypto.subtle.exportKey('pkcs8', keyPair.privateKey)).toString('base64')
  const signed = (text: string) =>
    createSign('sha256').update(text).sign(`-----BEGIN PRIVATE KEY-----\n${pem}\n-----END PRIVATE KEY-----`)
  return { clientId, keyPair, jwk, signed }
}

describe('a client authenticates', () => {
  test.each(Object.keys(kinds) as (keyof typeof kinds)[])('with its own key, %s', async (kind) => {
    const { config, clientId } = await createClient(running, machine)
    const keyPair = await pair(kind)
    await updateClientKeys(await holder(), { clientId, jwks: { keys: [keyPair.jwk] } })
    expect(await grant(byKey(config, keyPair))).toBe('allowed')
    const another = { ...(await pair(kind)), jwk: keyPair.jwk }
    // from now on another key, the former secret and no authentication are all refused
    expect(await grant(byKey(config, another))).toBe('invalid_client')
    expect(await grant(proving(config, client.ClientSecretPost(secret)))).toBe('invalid_client')
    expect(await grant(proving(config, client.None()))).toBe('invalid_client')
    const other = await createClient(running, machine)
    expect(await grant(byKey(other.config, keyPair))).toBe('invalid_client')
  })

  test('with keys at its address, old and new ones together', async () => {
    const [first, second] = [await pair(), await pair('RS256')]
    const keys = await listen((_, res) =>
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [first.jwk, second.jwk] })),
    )
    const { config, clientId } = await createClient(running, machine)
    await updateClientKeys(await holder(), { clientId, jwksUri: `http://127.0.0.1:${keys.port}/jwks` })
    expect(await grant(byKey(config, first))).toBe('allowed')
    expect(await grant(byKey(config, second))).toBe('allowed')
    expect(await grant(byKey(config, await pair()))).toBe('invalid_client')
    keys.stop()
  })

  test('not with alg none, HS with the public key, or an expired, replayed or foreign assertion', async () => {
    const { clientId, keyPair, jwk, signed } = await signing()
    const [stored] = await db().select().from(oidcClients).where(eq(oidcClients.clientId, clientId))
    expect(Object.keys(stored?.jwks?.keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kty', 'n'])

    const hashed = (text: string) => createHmac('sha256', JSON.stringify(jwk)).update(text).digest()
    const byPem = Buffer.from(await crypto.subtle.exportKey('spki', keyPair.publicKey)).toString('base64')
    const hashedByPem = (text: string) =>
      createHmac('sha256', `-----BEGIN PUBLIC KEY-----\n${byPem}\n-----END PUBLIC KEY-----`).update(text).digest()
    const rs = { alg: 'RS256' }
    const good = assertion(clientId, rs, {}, signed)
    expect(await withAssertion(good)).toEqual([200, 'allowed'])
    expect(await withAssertion(good)).toEqual([401, 'invalid_client'])
    const past = Math.floor(Date.now() / 1000) - 600
    const other = await createClient(running, machine)
    for (const [header, claims, sign] of [
      [{ alg: 'none' }, {}, () => Buffer.alloc(0)],
      [{ alg: 'HS256' }, {}, hashed],
      [{ alg: 'HS256' }, {}, hashedByPem],
      [rs, { exp: past }, signed],
      [rs, { exp: undefined }, signed],
      [rs, { jti: undefined }, signed],
      [rs, { aud: 'https://elsewhere.example' }, signed],
      [rs, { iss: other.clientId }, signed],
      [rs, { iss: other.clientId, sub: other.clientId }, signed],
      [rs, {}, () => Buffer.alloc(256)],
    ] as [object, object, (text: string) => Buffer][])
      expect(await withAssertion(assertion(clientId, header, claims, sign)), JSON.stringify([header, claims])).toEqual([
        401,
        'invalid_client',
      ])
  })

  test('once with one assertion, however many use it at once', async () => {
    const { clientId, signed } = await signing()
    const one = assertion(clientId, { alg: 'RS256' }, {}, signed)
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => withAssertion(one)))
    expect(outcomes.filter(([status]) => status === 200)).toHaveLength(1)
  })

  test('with an assertion that expires within an hour, also with fractions of a second; another’s expiry is refused and stores nothing', async () => {
    const { clientId, signed } = await signing()
    const ending = (exp: unknown) => assertion(clientId, { alg: 'RS256' }, { exp }, signed)
    const countReplays = async () => (await redis().keys('oidc:ReplayDetection:*')).length
    const now = Math.floor(Date.now() / 1000)
    for (const exp of [now + 60.25, now + 0.5, now - 2.75, now + 3590, now + 3590.123456]) {
      const [one, before] = [ending(exp), await countReplays()]
      expect(await withAssertion(one), String(exp)).toEqual([200, 'allowed'])
      expect(await withAssertion(one), String(exp)).toEqual([401, 'invalid_client'])
      expect(await countReplays()).toBe(before + 1)
    }
    const before = await countReplays()
    const wrong = [
      now + 3700,
      now * 1000,
      2 ** 53,
      1e19,
      1e300,
      -1,
      -1e300,
      now - 3600.5,
      null,
      0,
      `${now + 60}`,
      {},
      true,
    ]
    for (const exp of wrong) expect(await withAssertion(ending(exp)), String(exp)).toEqual([401, 'invalid_client'])
    expect(await countReplays()).toBe(before)
    expect(await keysWithoutEnd()).toEqual([])
  })

  test('in production not with keys of this machine or its network', async () => {
    let asked = 0
    const keyPair = await pair()
    const keys = await listen((_, res) => {
      asked++
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [keyPair.jwk] }))
    })
    const hosts = ['127.0.0.1', 'localhost', '0.0.0.0', '[::ffff:127.0.0.1]', '[::1]']
    for (const host of hosts) {
      // written directly, because the verb refuses addresses of this machine: later a name may resolve to it
      const { config } = await createClient(running, {
        ...machine,
        authMethod: 'private_key_jwt',
        jwksUri: `http://${host}:${keys.port}/jwks`,
      })
      expect(await inProduction(() => grant(byKey(config, keyPair))), host).toMatch(/^invalid_client/)
      // outside of production, applications run on the same machine
      if (host === '127.0.0.1') {
        expect(asked).toBe(0)
        expect(await grant(byKey(config, keyPair))).toBe('allowed')
        expect(asked).toBe(1)
        asked = 0
      }
    }
    expect(asked).toBe(0)
    keys.stop()
    const { clientId } = await createClient(running, machine)
    const ctx = await holder()
    expect(
      await inProduction(() => refusal(updateClientKeys(ctx, { clientId, jwksUri: 'https://127.0.0.1/jwks' }))),
    ).toMatchObject({ status: 400, fields: ['jwksUri errorClientAddress'] })
  })

  test.each(['client_secret_basic', 'client_secret_post'] as const)(
    'by %s, with two secrets while one replaces the other',
    async (authMethod) => {
      const ctx = await holder()
      const { config, clientId } = await createClient(running, { ...machine, authMethod })
      const authentication = authMethod === 'client_secret_basic' ? client.ClientSecretBasic : client.ClientSecretPost
      const outcomes = (...secrets: string[]) =>
        Promise.all(secrets.map((value) => grant(proving(config, authentication(value)))))
      const failed = authMethod === 'client_secret_basic' ? '401' : 'invalid_client'
      const { secret: second } = await rotateClientSecret(ctx, { clientId, overlap: 60 })
      expect(await outcomes(second, secret, 'another')).toEqual(['allowed', 'allowed', failed])
      const { secret: third } = await rotateClientSecret(ctx, { clientId, overlap: 60 })
      expect(await outcomes(third, second, secret)).toEqual(['allowed', 'allowed', failed])
      // the former secret has expired
      const [row] = await db().select().from(oidcClients).where(eq(oidcClients.clientId, clientId))
      const past = new Date(Date.now() - 1000).toISOString()
      const secrets = row?.secrets.map((secret) => (secret.expiresAt ? { ...secret, expiresAt: past } : secret))
      await db().update(oidcClients).set({ secrets }).where(eq(oidcClients.clientId, clientId))
      await enableClient(ctx, { clientId, enabled: false })
      await enableClient(ctx, { clientId, enabled: true })
      expect(await outcomes(third, second)).toEqual(['allowed', failed])
    },
  )

  test('with nothing only if it is public, and then it acts only for people', async () => {
    const ctx = await holder()
    const { config, clientId } = await createClient(running, machine)
    expect(await refusal(updateClientAuthMethod(ctx, { clientId, authMethod: 'none' }))).toMatchObject({
      status: 400,
      fields: ['authMethod errorPublicClient'],
    })
    const people = await createClient(running, { secret })
    expect(await updateClientAuthMethod(ctx, { clientId: people.clientId, authMethod: 'none' })).toEqual({
      secret: null,
    })
    const [row] = await db().select().from(oidcClients).where(eq(oidcClients.clientId, people.clientId))
    expect(row).toMatchObject({ type: 'public', secrets: [], jwks: null })
    expect(await refusal(rotateClientSecret(ctx, { clientId: people.clientId, overlap: 0 }))).toMatchObject({
      status: 409,
      code: 'clientWithoutSecret',
    })
    // back to a secret: a new one, returned only this once
    const { secret: made } = await updateClientAuthMethod(ctx, {
      clientId: people.clientId,
      authMethod: 'client_secret_post',
    })
    expect(made).toMatch(/^[\w-]{43}$/)
    // from basic to post the secret stays the same
    expect(await updateClientAuthMethod(ctx, { clientId, authMethod: 'client_secret_post' })).toEqual({ secret: null })
    expect(await grant(proving(config, client.ClientSecretPost(secret)))).toBe('allowed')
  })
})

describe('keys of a client', () => {
  test('are recorded once, however often the same ones are set', async () => {
    const ctx = await holder()
    const { clientId } = await createClient(running, machine)
    const keys = [(await pair()).jwk, (await pair('RS256')).jwk, (await pair('EdDSA')).jwk]
    for (let times = 0; times < 2; times++) await updateClientKeys(ctx, { clientId, jwks: { keys } })
    const [row] = await db().select().from(oidcClients).where(eq(oidcClients.clientId, clientId))
    const rows = await db()
      .select()
      .from(history)
      .where(eq(history.entityId, row?.id ?? ''))
      .orderBy(history.id)
    expect(rows.map(({ field }) => field).sort()).toEqual(['authMethod', 'jwks', 'secret'])
    expect(rows.find(({ field }) => field === 'secret')).toMatchObject({ previous: '***', current: null })
    expect(rows.find(({ field }) => field === 'jwks')?.current).toEqual(row?.jwks)
  })

  test('that aren’t public signing keys are refused, each by its field', async () => {
    const ctx = await holder()
    const { clientId } = await createClient(running, machine)
    const keyPair = (await crypto.subtle.generateKey(kinds.ES256, true, ['sign', 'verify'])) as CryptoKeyPair
    const secretKey = await crypto.subtle.exportKey('jwk', keyPair.privateKey)
    const { jwk } = await pair()
    const rsa1024 = await crypto.subtle.generateKey({ ...kinds.RS256, modulusLength: 1024 }, true, ['sign', 'verify'])
    const short = await crypto.subtle.exportKey('jwk', (rsa1024 as CryptoKeyPair).publicKey)
    const table: [Record<string, unknown>[], string[]][] = [
      [[{ ...secretKey }], ['jwks.keys.0 errorPrivateKey']],
      [[{ kty: 'oct', k: 'c2VjcmV0' }], ['jwks.keys.0 errorPrivateKey']],
      [[jwk, { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: 'a' }], ['jwks.keys.1 errorKey']],
      [[{ ...short, kid: 'short' }], ['jwks.keys.0 errorKey']],
      [[{ ...jwk, use: 'enc' }], ['jwks.keys.0 errorKey']],
      [[{ ...jwk, alg: 'HS256' }], ['jwks.keys.0 errorKey']],
      [[{ ...jwk, crv: 'P-384' }], ['jwks.keys.0 errorKey']],
      [[{}], ['jwks.keys.0 errorKey']],
      [[jwk, { ...(await pair()).jwk, kid: jwk.kid }], ['jwks.keys.1 errorKeyId']],
      [[jwk, { ...(await pair()).jwk, kid: undefined }], ['jwks.keys.1 errorKeyId']],
    ]
    for (const [keys, fields] of table)
      expect(await refusal(updateClientKeys(ctx, { clientId, jwks: { keys } })), JSON.stringify(fields)).toMatchObject({
        status: 400,
        fields,
      })
    const [row] = await db().select().from(oidcClients).where(eq(oidcClients.clientId, clientId))
    expect(row).toMatchObject({ authMethod: 'client_secret_basic', jwks: null })
    // a caller without the right learns nothing about the input either
    const nobody = await createContext()
    expect(await refusal(updateClientKeys(nobody, { clientId, jwks: { keys: [{}] } }))).toMatchObject({ status: 401 })
    const input = (what: object) => refusal((async () => parseOrThrow(UpdateClientKeysInput, { clientId, ...what }))())
    expect(await input({})).toMatchObject({ fields: ['jwks errorEmpty'] })
    expect(await input({ jwks: { keys: [] } })).toMatchObject({ fields: ['jwks.keys errorEmpty'] })
    expect(await input({ jwks: { keys: [jwk] }, jwksUri: 'https://app.example/jwks' })).toMatchObject({
      fields: ['jwksUri errorKeysTwice'],
    })
    expect(await input({ jwksUri: 'ftp://app.example/jwks' })).toMatchObject({ fields: ['jwksUri errorClientAddress'] })
  })
})
