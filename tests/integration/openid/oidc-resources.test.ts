import { createPublicKey, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import {
  createRemoteJWKSet,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { applicationServiceMethods, applications, methods, oidcClients, roleMethods, roles } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { rotateKeys } from '@/lib/openid/keys/service'
import { createClient, follow, issuer, request, startProvider } from '../../factories/oidc'
import { listen, refused, signedIn, tokensFor } from '../../factories/oidc-flows'
import { createRole } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const secret = 'a secret of forty-three characters or thereabouts'
const machine = { secret, redirectUris: [], grantTypes: ['client_credentials'] }

let running: Awaited<ReturnType<typeof startProvider>>
/** An API as anybody would write it: it knows the issuer and its own address, and nothing else of the platform. */
let api: Awaited<ReturnType<typeof listen>>
let heard: JWTPayload | undefined

beforeAll(async () => {
  running = await startProvider()
  const keys = createRemoteJWKSet(new URL(running.at('/oidc/jwks')), { cooldownDuration: 0 })
  api = await listen(async (req, res) => {
    const token = req.headers.authorization?.replace(/^Bearer /, '') ?? ''
    try {
      const options = { issuer, audience: `${api.url}/v1`, typ: 'at+jwt', algorithms: ['RS256'] }
      heard = (await jwtVerify(token, keys, options)).payload
      res.writeHead(200).end()
    } catch (error) {
      res.writeHead(401).end((error as { code: string }).code)
    }
  })
})
afterAll(() => Promise.all([running.stop(), api.stop()]))

const call = async (token: string) => {
  const answer = await fetch(api.url, { headers: { authorization: `Bearer ${token}` } })
  return answer.status === 200 ? 'accepted' : await answer.text()
}

/** An application of the platform at the API's address, with methods. */
async function registerApi(url = `${api.url}/v1`, codes: string[] = []) {
  // an address stands for one API: the others with it are those of other tests
  await db().delete(applications).where(eq(applications.url, url))
  const [application] = await db()
    .insert(applications)
    .values({ type: 'internal', code: randomUUID(), name: 'Склад', url })
    .returning()
  if (!application) throw new Error('no application')
  const made = []
  for (const code of codes) {
    const values = { code, name: code, kind: 'application' as const, applicationId: application.id }
    made.push(...(await db().insert(methods).values(values).returning()))
  }
  dropCached('oidc-clients')
  return { application, methods: made }
}

describe('an access token for an API', () => {
  test('is a JWT with the caller and their methods there, for people and for programs', async () => {
    const { application, methods: made } = await registerApi(`${api.url}/v1`, ['stock.read', 'stock.write'])
    const role = await createRole()
    const [{ id: roleId } = { id: '' }] = await db().select({ id: roles.id }).from(roles).where(eq(roles.code, role))
    const [read, write] = made.map(({ id }) => id)
    await db()
      .insert(roleMethods)
      .values({ roleId, methodId: read ?? '' })

    const { config, clientId } = await createClient(running, { secret })
    const { browser, user } = await signedIn({ roles: ['user', role] })
    const resource = `${api.url}/v1`
    const tokens = await tokensFor(running, browser, config, { resource, scope: 'openid profile roles' }, { resource })
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'profile roles', expires_in: 600 })
    expect(await call(tokens.access_token)).toBe('accepted')
    expect(heard).toMatchObject({
      iss: issuer,
      aud: resource,
      sub: user.id,
      client_id: clientId,
      scope: 'profile roles',
      methods: ['stock.read'],
      jti: expect.any(String),
    })
    expect((heard?.exp ?? 0) - (heard?.iat ?? 0)).toBe(600)
    // it is valid for the API alone
    expect(await refused(client.fetchUserInfo(config, tokens.access_token, user.id))).toBe('invalid_token')

    const again = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', { resource })
    expect(await call(again.access_token)).toBe('accepted')
    // without a resource the token is opaque, for userinfo
    const plain = await client.refreshTokenGrant(config, again.refresh_token ?? '')
    expect(plain.access_token).not.toContain('.')
    expect(await client.fetchUserInfo(config, plain.access_token, user.id)).toMatchObject({ sub: user.id })
    expect(await call(plain.access_token)).toBe('ERR_JWS_INVALID')

    const program = await createClient(running, machine)
    await db()
      .insert(applicationServiceMethods)
      .values({ applicationId: program.application.id, methodId: write ?? '' })
    const ownTokens = await client.clientCredentialsGrant(program.config, { resource })
    expect(await call(ownTokens.access_token)).toBe('accepted')
    expect(heard).toMatchObject({ sub: program.clientId, client_id: program.clientId, methods: ['stock.write'] })
    expect((await client.clientCredentialsGrant(program.config)).access_token).not.toContain('.')

    // disabled: no new tokens, and a refused refresh uses nothing up
    await db().update(applications).set({ enabled: false }).where(eq(applications.id, application.id))
    dropCached('oidc-clients')
    expect(await refused(client.clientCredentialsGrant(program.config, { resource }))).toBe('invalid_target')
    const refreshed = (token: string, wish?: Record<string, string>) => client.refreshTokenGrant(config, token, wish)
    expect(await refused(refreshed(plain.refresh_token ?? '', { resource }))).toBe('invalid_target')
    expect(await refused(refreshed(plain.refresh_token ?? ''))).toBe('allowed')
  })

  test('of another owner isn’t given to an external application, unless it acts for itself', async () => {
    await registerApi('https://another.example/api')
    const { application, config } = await createClient(running, { secret })
    await db()
      .update(applications)
      .set({ type: 'external', url: 'https://foreign.example/api' })
      .where(eq(applications.id, application.id))
    const program = await createClient(running, machine)
    await db()
      .update(oidcClients)
      .set({ applicationId: application.id })
      .where(eq(oidcClients.clientId, program.clientId))
    dropCached('oidc-clients')
    const { browser } = await signedIn()
    const asked = async (resource: string) => {
      const { url } = await request(config, { resource, scope: 'openid profile' })
      return (await follow(running, browser, url)).url.searchParams.get('error')
    }
    expect(await asked('https://another.example/api')).toBe('invalid_target')
    expect(await asked('https://foreign.example/api')).toBeNull()
    const resource = 'https://another.example/api'
    expect(await refused(client.clientCredentialsGrant(program.config, { resource }))).toBe('allowed')
  })

  test('is bound to a key if the client proves one', async () => {
    const resource = `${api.url}/v1`
    await registerApi(resource)
    const { config } = await createClient(running, machine)
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair())
    const tokens = await client.clientCredentialsGrant(config, { resource }, { DPoP })
    expect(tokens.token_type).toBe('dpop')
    expect(decodeJwt(tokens.access_token).cnf).toEqual({ jkt: await DPoP.calculateThumbprint() })
  })

  test('needs the address of an application', async () => {
    await registerApi('https://Stock.example')
    const { config } = await createClient(running, { secret })
    const program = await createClient(running, machine)
    const { browser } = await signedIn()
    const grant = (resource: string) => refused(client.clientCredentialsGrant(program.config, { resource }))
    expect(await grant('https://stock.example/')).toBe('allowed')
    for (const resource of ['https://stock.example/x', 'https://other.example', 'stock', 'https://stock.example/#a'])
      expect(await grant(resource), resource).toBe('invalid_target')

    const { url } = await request(config, { resource: 'https://other.example' })
    const { url: end } = await follow(running, browser, url)
    expect(end.searchParams.get('error')).toBe('invalid_target')
    // a resource that the authorization request didn't name can't be requested with its code
    const code = tokensFor(running, browser, config, {}, { resource: 'https://stock.example' })
    expect(await refused(code)).toBe('invalid_target')
  })
})

test('is the only token that an API accepts which checks signature, issuer, audience, type and time', async () => {
  const resource = `${api.url}/v1`
  await registerApi(resource)
  await registerApi('https://another.example')
  const { config } = await createClient(running, { secret })
  const program = await createClient(running, machine)
  const { browser } = await signedIn()
  const { access_token: right } = await client.clientCredentialsGrant(program.config, { resource })
  expect(await call(right)).toBe('accepted')
  const good = heard as JWTPayload
  const { keys } = await (await fetch(running.at('/oidc/jwks'))).json()
  const header = { alg: 'RS256', typ: 'at+jwt', kid: keys[0].kid }
  const publicPem = createPublicKey({ key: keys[0], format: 'jwk' }).export({ type: 'spki', format: 'pem' })
  const stranger = await generateKeyPair('RS256', { extractable: true })
  const signed = (payload: JWTPayload, headers: object, key: Parameters<SignJWT['sign']>[0]) =>
    new SignJWT(payload).setProtectedHeader({ ...header, ...headers }).sign(key)
  const { id_token: idToken = '' } = await tokensFor(running, browser, config)
  const elsewhere = await client.clientCredentialsGrant(program.config, { resource: 'https://another.example' })
  const [head, , signature] = right.split('.')
  const changed = Buffer.from(JSON.stringify({ ...good, sub: 'somebody else' })).toString('base64url')

  const wrong: Record<string, [string, string]> = {
    'alg none': [`${new UnsecuredJWT(good).encode()}`, 'ERR_JOSE_ALG_NOT_ALLOWED'],
    'HS256 by the public key': [
      await signed(good, { alg: 'HS256' }, new TextEncoder().encode(String(publicPem))),
      'ERR_JOSE_ALG_NOT_ALLOWED',
    ],
    'an unknown key': [await signed(good, { kid: 'unknown' }, stranger.privateKey), 'ERR_JWKS_NO_MATCHING_KEY'],
    'another key by a known name': [
      await signed(good, {}, stranger.privateKey),
      'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    ],
    'a key that the token brings': [
      await signed(good, { kid: undefined, jwk: await exportJWK(stranger.publicKey) }, stranger.privateKey),
      'ERR_JWKS_MULTIPLE_MATCHING_KEYS',
    ],
    'changed contents': [`${head}.${changed}.${signature}`, 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'],
    'another API’s': [elsewhere.access_token, 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    'an ID token': [idToken, 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
  }
  for (const [what, [token, code]] of Object.entries(wrong)) expect(await call(token), what).toBe(code)

  // tokens that differ only in time and issuer, by the same rules and with the same keys
  const keySet = createRemoteJWKSet(new URL(running.at('/oidc/jwks')))
  const rules = { issuer, audience: resource, typ: 'at+jwt', algorithms: ['RS256'] }
  const later = new Date(((good.exp ?? 0) + 1) * 1000)
  await expect(jwtVerify(right, keySet, { ...rules, currentDate: later })).rejects.toThrow('"exp"')
  await expect(jwtVerify(right, keySet, { ...rules, issuer: 'https://evil.example' })).rejects.toThrow('"iss"')
})

test('stays valid while keys rotate', async () => {
  const resource = `${api.url}/v1`
  await registerApi(resource)
  const { config } = await createClient(running, machine)
  const grant = async () => (await client.clientCredentialsGrant(config, { resource })).access_token
  const keyOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
  const before = await grant()
  expect(await call(before)).toBe('accepted')
  for (const days of [1, 91]) {
    await rotateKeys(new Date(Date.now() + days * 24 * 3_600_000))
    dropCached('oidc-keys')
  }
  const after = await grant()
  expect(keyOf(after)).not.toBe(keyOf(before))
  expect([await call(before), await call(after)]).toEqual(['accepted', 'accepted'])
  // much later the key is removed, and everything that it signed becomes invalid
  await rotateKeys(new Date(Date.now() + 100 * 24 * 3_600_000))
  dropCached('oidc-keys')
  const fresh = createRemoteJWKSet(new URL(running.at('/oidc/jwks')))
  await expect(jwtVerify(before, fresh)).rejects.toThrow('no applicable key')
})
