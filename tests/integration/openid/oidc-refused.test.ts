import { and, eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { oidcRecords } from '@/db/schema'
import { createClient, redirectUri, startProvider } from '../../factories/oidc'
import { authorize, refused, signedIn, tokensFor } from '../../factories/oidc-flows'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const secret = 'a secret of forty-three characters or thereabouts'

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

type Fields = Record<string, string>

/** Calls the token endpoint directly, because a library would correct mistakes. */
async function token(fields: Fields, headers: Fields = {}) {
  const answer = await fetch(running.at('/oidc/token'), { method: 'POST', headers, body: new URLSearchParams(fields) })
  const { error } = (await answer.json()) as { error?: string }
  return `${answer.status} ${error ?? 'allowed'}`
}

describe('the token endpoint', () => {
  const cases: [string, string, (fields: Fields) => Fields][] = [
    ['nothing wrong', '200 allowed', (fields) => fields],
    [
      'a redirect address one character longer',
      '400 invalid_grant',
      (f) => ({ ...f, redirect_uri: `${redirectUri}/` }),
    ],
    [
      'a redirect address in other letters',
      '400 invalid_grant',
      (f) => ({ ...f, redirect_uri: redirectUri.replace('callback', 'Callback') }),
    ],
    ['no redirect address', '400 invalid_request', ({ redirect_uri: _, ...f }) => f],
    ['another verifier', '400 invalid_grant', (f) => ({ ...f, code_verifier: client.randomPKCECodeVerifier() })],
    [
      'a verifier one character off',
      '400 invalid_grant',
      (f) => ({ ...f, code_verifier: `${f.code_verifier?.slice(0, -1)}.` }),
    ],
    [
      'the challenge in place of the verifier',
      '400 invalid_grant',
      (f) => ({ ...f, code_verifier: f.challenge ?? '' }),
    ],
    ['no verifier', '400 invalid_grant', ({ code_verifier: _, ...f }) => f],
    ['a code one character off', '400 invalid_grant', (f) => ({ ...f, code: `${f.code}x` })],
    ['another client', '400 invalid_grant', (f) => ({ ...f, client_id: f.other ?? '' })],
    ['an unknown client', '401 invalid_client', (f) => ({ ...f, client_id: 'unknown' })],
    ['no client', '400 invalid_request', ({ client_id: _, ...f }) => f],
    ['another grant', '400 unsupported_grant_type', (f) => ({ ...f, grant_type: 'password' })],
  ]
  test.each(cases)('%s: %s', async (_what, expected, change) => {
    const { config, clientId } = await createClient(running)
    const other = await createClient(running)
    const { browser } = await signedIn()
    const { end, verifier } = await authorize(running, browser, config)
    const {
      other: _o,
      challenge: _c,
      ...fields
    } = change({
      grant_type: 'authorization_code',
      client_id: clientId,
      code: end.searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
      other: other.clientId,
      challenge: await client.calculatePKCECodeChallenge(verifier),
    })
    expect(await token(fields)).toBe(expected)
  })

  test('requires authentication of a confidential client', async () => {
    const { config, clientId } = await createClient(running, { secret })
    const { browser } = await signedIn()
    const { refresh_token = '' } = await tokensFor(running, browser, config)
    const fields = { grant_type: 'refresh_token', refresh_token }
    const basic = (given: string) => ({ authorization: `Basic ${btoa(`${clientId}:${encodeURIComponent(given)}`)}` })
    expect(await token({ ...fields, client_id: clientId })).toBe('401 invalid_client')
    expect(await token(fields, basic(`${secret}.`))).toBe('401 invalid_client')
    expect(await token({ ...fields, client_id: 'another' }, basic(secret))).toMatch(/^40[01] invalid_(client|request)$/)
    expect(await token(fields, basic(secret))).toBe('200 allowed')
  })
})

describe('a refresh token', () => {
  test('used thirty times at once gets one answer, and the family lives; used again later, it ends the family', async () => {
    const { config } = await createClient(running)
    const { browser, user } = await signedIn()
    const tokens = await tokensFor(running, browser, config)
    const first = tokens.refresh_token ?? ''
    const won = await Promise.all(
      Array.from({ length: 30 }, () =>
        client.refreshTokenGrant(config, first).then((answer) => answer.refresh_token ?? ''),
      ),
    )
    expect(new Set(won).size).toBe(1)
    const [second = ''] = won
    const third = await client.refreshTokenGrant(config, second)
    expect(await client.fetchUserInfo(config, third.access_token, user.id)).toMatchObject({ sub: user.id })

    // as if some time had passed
    const long = new Date(Date.now() - 60_000)
    const used = and(eq(oidcRecords.model, 'RefreshToken'), eq(oidcRecords.accountId, user.id))
    await db().update(oidcRecords).set({ consumedAt: long }).where(used)
    const again = await Promise.all(Array.from({ length: 5 }, () => refused(client.refreshTokenGrant(config, first))))
    expect(new Set(again)).toEqual(new Set(['invalid_grant']))
    expect(await refused(client.refreshTokenGrant(config, third.refresh_token ?? ''))).toBe('invalid_grant')
    expect(await refused(client.fetchUserInfo(config, third.access_token, user.id))).toBe('invalid_token')
  })

  test('works only for its client, gives no more than it was issued for, and ends by revocation', async () => {
    const { config } = await createClient(running)
    const other = await createClient(running)
    const { browser, user } = await signedIn()
    const tokens = await tokensFor(running, browser, config, { scope: 'openid email' })
    const mine = tokens.refresh_token ?? ''
    expect(await refused(client.refreshTokenGrant(other.config, mine))).toBe('invalid_grant')
    expect(await refused(client.refreshTokenGrant(config, mine, { scope: 'openid email roles' }))).toBe('invalid_scope')
    const less = await client.refreshTokenGrant(config, mine, { scope: 'openid' })
    expect(less.scope).toBe('openid')
    expect(await client.fetchUserInfo(config, less.access_token, user.id)).toEqual({
      sub: user.id,
      sid: less.claims()?.sid,
    })
    await client.tokenRevocation(config, less.refresh_token ?? '')
    expect(await refused(client.refreshTokenGrant(config, less.refresh_token ?? ''))).toBe('invalid_grant')
    expect(await refused(client.fetchUserInfo(config, less.access_token, user.id))).toBe('invalid_token')
  })
})
