import { and, eq } from 'drizzle-orm'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, oidcClients } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { parseOrThrow } from '@/lib/base/http/read'
import { UpdateClientInput, UpdateClientPkceInput } from '@/lib/openid/clients/contract'
import { updateClient, updateClientAuthMethod, updateClientPkce } from '@/lib/openid/clients/service'
import { rotateKeys } from '@/lib/openid/keys/service'
import type { Browser } from '../../factories/browser'
import { createContext } from '../../factories/context'
import { runJobs } from '../../factories/messages'
import { createClient, follow, issuer, redirectUri, request, startProvider, submit, visit } from '../../factories/oidc'
import { authorize, listenForLogouts, refused, signedIn, tokensFor } from '../../factories/oidc-flows'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const secret = 'a secret of forty-three characters or thereabouts'

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

const holder = () => createContext({ methods: ['applications.write'] })
const rowOf = async (clientId: string) => {
  const [row] = await db().select().from(oidcClients).where(eq(oidcClients.clientId, clientId))
  if (!row) throw new Error('no client')
  return row
}
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'allowed',
    ({ status, code, data }) =>
      data?.errorList?.map((fault: { field: string; code: string }) => `${fault.field} ${fault.code}`).join() ??
      `${status} ${code}`,
  )
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

describe('PKCE', () => {
  /** Returns where a request ends without a challenge, or with the given changes. */
  async function asked(config: client.Configuration, browser: Browser, change: Record<string, string> = {}) {
    const { url, verifier } = await request(config, change)
    if (!change.code_challenge_method)
      for (const name of ['code_challenge', 'code_challenge_method']) url.searchParams.delete(name)
    const { url: end } = await follow(running, browser, url)
    return { end, verifier, outcome: end.searchParams.get('error') ?? (end.searchParams.has('code') ? 'code' : 'none') }
  }
  const redeem = (config: client.Configuration, end: URL, pkceCodeVerifier?: string) =>
    refused(
      client.authorizationCodeGrant(config, end, {
        expectedState: 'state',
        ...(pkceCodeVerifier ? { pkceCodeVerifier } : {}),
      }),
    )

  test('is required until it is lifted, and again at once when it is restored; a challenge that is sent is always checked', async () => {
    const { config, clientId } = await createClient(running, { secret })
    const { browser } = await signedIn()
    const ctx = await holder()
    expect((await asked(config, browser)).outcome).toBe('invalid_request')
    await updateClientPkce(ctx, { clientId, required: false })
    const free = await asked(config, browser)
    expect(free.outcome).toBe('code')
    expect(await redeem(config, free.end)).toBe('allowed')

    expect((await asked(config, browser, { code_challenge_method: 'plain' })).outcome).toBe('invalid_request')
    for (const pkceCodeVerifier of [undefined, client.randomPKCECodeVerifier()]) {
      const bound = await authorize(running, browser, config)
      expect(await redeem(config, bound.end, pkceCodeVerifier)).toBe('invalid_grant')
      expect(await redeem(config, bound.end, bound.verifier)).toBe('allowed')
    }
    // a verifier without its challenge: somebody removed the challenge on the way
    const stripped = await asked(config, browser)
    expect(await redeem(config, stripped.end, client.randomPKCECodeVerifier())).toBe('invalid_grant')

    await updateClientPkce(ctx, { clientId, required: true })
    expect((await asked(config, browser)).outcome).toBe('invalid_request')
    const { id } = await rowOf(clientId)
    const rows = await db()
      .select()
      .from(history)
      .where(and(eq(history.entityId, id), eq(history.field, 'pkceRequired')))
      .orderBy(history.id)
    expect(rows.map(({ previous, current, changerId }) => [previous, current, changerId])).toEqual([
      [true, false, ctx.user?.id],
      [false, true, ctx.user?.id],
    ])
  })

  test('stays required for pushed requests of clients for which it wasn’t lifted', async () => {
    const { config, clientId } = await createClient(running, { secret })
    const push = async () => {
      const { url } = await request(config)
      for (const name of ['code_challenge', 'code_challenge_method', 'client_id']) url.searchParams.delete(name)
      return refused(client.buildAuthorizationUrlWithPAR(config, url.searchParams))
    }
    expect(await push()).toBe('invalid_request')
    await updateClientPkce(await holder(), { clientId, required: false })
    expect(await push()).toBe('allowed')
  })

  test('is never lifted for a client without authentication, however it became one', async () => {
    const ctx = await holder()
    const { clientId } = await createClient(running)
    expect(await refusal(updateClientPkce(ctx, { clientId, required: false }))).toBe('required errorPkceNeeded')
    const native = await createClient(running, { secret, applicationType: 'native' })
    expect(await refusal(updateClientPkce(ctx, { clientId: native.clientId, required: false }))).toBe(
      'required errorPkceNeeded',
    )

    const oldClient = await createClient(running, { secret })
    await updateClientPkce(ctx, { clientId: oldClient.clientId, required: false })
    await updateClientAuthMethod(ctx, { clientId: oldClient.clientId, authMethod: 'none' })
    expect((await rowOf(oldClient.clientId)).pkceRequired).toBe(true)
    const becomes = await createClient(running, { secret })
    await updateClientPkce(ctx, { clientId: becomes.clientId, required: false })
    await updateClient(ctx, input(becomes.clientId, { applicationType: 'native' }))
    expect((await rowOf(becomes.clientId)).pkceRequired).toBe(true)

    // even if the database allows it
    const { browser } = await signedIn()
    for (const odd of [{}, { secret, applicationType: 'native' as const }]) {
      const { config } = await createClient(running, { ...odd, pkceRequired: false })
      expect((await asked(config, browser)).outcome).toBe('invalid_request')
    }
  })

  test('can be changed by people who may change clients, with an explicit value', async () => {
    const { clientId } = await createClient(running, { secret })
    const lift = async (methods?: string[]) =>
      refusal(updateClientPkce(await createContext({ methods }), { clientId, required: false }))
    expect(await lift()).toBe('401 unauthorized')
    expect(await lift(['applications.read'])).toBe('403 forbidden')
    expect(await refusal(updateClientPkce(await holder(), { clientId: 'nobody', required: true }))).toBe('404 notFound')
    for (const required of [undefined, 'false', 0, null])
      expect(await refusal((async () => parseOrThrow(UpdateClientPkceInput, { clientId, required }))())).toBe(
        'required errorFormat',
      )
    expect((await rowOf(clientId)).pkceRequired).toBe(true)
  })
})

describe('a native application', () => {
  const native = { applicationType: 'native' as const }
  const ends = async (config: client.Configuration, browser: Browser, redirect_uri: string) => {
    const { url, verifier } = await request(config, { redirect_uri })
    const { url: end, status } = await follow(running, browser, url)
    return { end, status, verifier }
  }

  test.each([['http://127.0.0.1'], ['http://[::1]'], ['http://localhost']])(
    'is called back at %s with any port, and at no other address',
    async (host) => {
      const { config } = await createClient(running, { ...native, redirectUris: [`${host}/callback`] })
      const { browser } = await signedIn()
      for (const port of ['', ':1', ':49152', ':65535']) {
        const address = `${host}${port}/callback`
        const { end, verifier } = await ends(config, browser, address)
        expect(end.href.startsWith(address), end.href).toBe(true)
        const checks = { pkceCodeVerifier: verifier, expectedState: 'state' }
        await client.authorizationCodeGrant(config, end, checks)
      }
      for (const address of [
        `${host}:4001/callback/`,
        `${host}:4001/Callback`,
        `${host}:4001/callback?a=b`,
        `${host}:4001`,
        `${host}.evil.example:4001/callback`,
        `${host}:4001@evil.example/callback`,
        `http://user@${host.slice(7)}:4001/callback`,
        `https://${host.slice(7)}:4001/callback`,
        'http://127.0.0.2:4001/callback',
        'http://evil.example:4001/callback',
      ])
        expect((await ends(config, browser, address)).status, address).toBe(400)
      // different names of this machine don't match each other
      for (const other of ['http://127.0.0.1', 'http://[::1]', 'http://localhost'].filter((one) => one !== host))
        expect((await ends(config, browser, `${other}:4001/callback`)).status).toBe(400)
    },
  )

  test('another port isn’t accepted for a website', async () => {
    const { browser } = await signedIn()
    const site = await createClient(running, { redirectUris: ['http://127.0.0.1:4001/callback'] })
    expect((await ends(site.config, browser, 'http://127.0.0.1:4002/callback')).status).toBe(400)
    const other = await createClient(running, { ...native, redirectUris: ['https://app.example/callback'] })
    expect((await ends(other.config, browser, 'https://app.example:4002/callback')).status).toBe(400)
  })

  test('has its own scheme: a reversed domain name', async () => {
    const address = 'com.example.app:/callback'
    const { config, clientId } = await createClient(running, { ...native, redirectUris: [redirectUri] })
    await updateClient(await holder(), input(clientId, { ...native, redirectUris: [address] }))
    const { browser } = await signedIn()
    const { end, verifier } = await ends(config, browser, address)
    expect([end.protocol, end.pathname]).toEqual(['com.example.app:', '/callback'])
    await client.authorizationCodeGrant(config, end, { pkceCodeVerifier: verifier, expectedState: 'state' })
    for (const other of ['com.example.app:/callback2', 'com.example.app2:/callback', 'com.example.app://callback'])
      expect((await ends(config, browser, other)).status, other).toBe(400)
  })

  test('may store no address that could belong to anybody, each refused by its field', async () => {
    const { clientId } = await createClient(running)
    const ctx = await holder()
    const fault = (applicationType: string, address: string) =>
      refusal(
        (async () => updateClient(ctx, input(clientId, { applicationType, redirectUris: [redirectUri, address] })))(),
      )
    for (const address of ['com.example.app:/callback', 'com.example.app://callback', 'ru.Example-1.app:/a?b=c'])
      expect(await fault('native', address), address).toBe('allowed')
    expect(await fault('web', 'com.example.app:/callback')).toBe('redirectUris.1 errorNativeAddress')
    for (const address of [
      'myapp:/callback',
      'javascript:alert(1)',
      'data:text/html,x',
      'com.example.app:callback',
      'com.example.app:/callback#part',
      'com.example.app://user:pass@host/callback',
      'com..app:/callback',
      'http://10.0.0.1/callback',
      'https://localhost/callback',
      'https://127.0.0.1:8443/callback',
    ])
      expect(await fault('native', address), address).toBe('redirectUris.1 errorClientAddress')
    expect(await fault('desktop', 'https://app.example/other')).toBe('applicationType errorFormat')
  })
})

describe('a wildcard', () => {
  const wild = ['https://*.example.com/callback', 'https://app.example/*', 'https://app.example/callback?to=*']

  test('is refused when saved, in every address of a client', async () => {
    const { clientId } = await createClient(running)
    const ctx = await holder()
    const fault = (change: object) => refusal((async () => updateClient(ctx, input(clientId, change)))())
    for (const address of [...wild, 'http://localhost:*/callback', '*'])
      expect(await fault({ redirectUris: [address] }), address).toBe('redirectUris.0 errorWildcard')
    expect(await fault({ postLogoutRedirectUris: wild.slice(0, 1) })).toBe('postLogoutRedirectUris.0 errorWildcard')
    expect(await fault({ backchannelLogoutUri: wild[0] })).toBe('backchannelLogoutUri errorWildcard')
    expect(await fault({ applicationType: 'native', redirectUris: ['com.example.*:/callback'] })).toBe(
      'redirectUris.0 errorWildcard',
    )
  })

  test('never matches if one is stored nevertheless, neither as a pattern nor as a text', async () => {
    const { config } = await createClient(running, { redirectUris: [...wild, redirectUri] })
    const { browser } = await signedIn()
    for (const address of [...wild, 'https://a.example.com/callback', 'https://app.example/anything']) {
      const { url } = await request(config, { redirect_uri: address })
      const answer = await visit(running, browser, url)
      expect([answer.status, answer.headers.get('location')], address).toEqual([400, null])
    }
    await tokensFor(running, browser, config)
    // without addresses nobody is redirected, and everything that needs no address works
    const alone = await createClient(running, {
      secret,
      redirectUris: wild.slice(0, 1),
      postLogoutRedirectUris: wild.slice(0, 1),
      grantTypes: ['authorization_code', 'client_credentials'],
    })
    expect(await refused(client.clientCredentialsGrant(alone.config))).toBe('allowed')
    const query = new URLSearchParams({ client_id: alone.clientId, post_logout_redirect_uri: wild[0] ?? '' })
    expect((await follow(running, browser, `/oidc/session/end?${query}`)).status).toBe(400)
  })
})

describe('ID tokens with another algorithm', () => {
  const keys = () => createRemoteJWKSet(new URL(running.at('/oidc/jwks')), { cooldownDuration: 0 })
  const published = async (alg: string): Promise<string[]> => {
    const { keys: all } = await (await fetch(running.at('/oidc/jwks'))).json()
    return all.filter((key: { alg: string }) => key.alg === alg).map(({ kid }: { kid: string }) => kid)
  }

  test('are listed by discovery, and RS256 stays the first', async () => {
    const metadata = await (await fetch(running.at('/oidc/.well-known/openid-configuration'))).json()
    expect(metadata.id_token_signing_alg_values_supported.toSorted()).toEqual(['ES256', 'PS256', 'RS256'])
    const { config } = await createClient(running)
    const { browser } = await signedIn()
    const { id_token: token = '' } = await tokensFor(running, browser, config)
    expect(decodeProtectedHeader(token).alg).toBe('RS256')
  })

  test.each([['PS256'], ['ES256']])('%s: at sign-in, at a refresh, in logout tokens, as a hint', async (alg) => {
    const heard: string[] = []
    const app = await listenForLogouts(({ token }) => heard.push(token) && undefined)
    const bye = 'https://app.example/bye'
    const { config, clientId } = await createClient(running, { secret, backchannelLogoutUri: `${app.url}/logout` })
    const { browser } = await signedIn()
    const before = await tokensFor(running, browser, config)
    await updateClient(
      await holder(),
      input(clientId, {
        idTokenAlg: alg,
        backchannelLogoutUri: `${app.url}/logout`,
        postLogoutRedirectUris: [bye],
      }),
    )
    const other = new client.Configuration(
      config.serverMetadata(),
      clientId,
      { id_token_signed_response_alg: alg },
      client.ClientSecretBasic(secret),
    )
    client.allowInsecureRequests(other)
    Object.assign(other, { [client.customFetch]: config[client.customFetch] })
    const tokens = await tokensFor(running, browser, other)
    const fresh = await client.refreshTokenGrant(other, tokens.refresh_token ?? '')
    for (const { id_token: token = '' } of [tokens, fresh]) {
      const { protectedHeader } = await jwtVerify(token, keys(), { issuer, audience: clientId, algorithms: [alg] })
      expect(protectedHeader.kid).toBe((await published(alg))[0])
    }
    // an ID token signed with the former algorithm still identifies who wants to sign out
    for (const { id_token: hint = '' } of [before, fresh]) {
      const query = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: bye })
      expect((await follow(running, browser, `/oidc/session/end?${query}`)).status).toBe(200)
    }
    const unsigned = `${btoa('{"alg":"none"}').replaceAll('=', '')}.${(fresh.id_token ?? '').split('.')[1]}.`
    const query = new URLSearchParams({ id_token_hint: unsigned, post_logout_redirect_uri: bye })
    expect((await follow(running, browser, `/oidc/session/end?${query}`)).status).toBe(400)

    const { body } = await follow(running, browser, '/oidc/session/end')
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
    await submit(running, browser, '/oidc/session/end/confirm', { xsrf, logout: 'yes' })
    await runJobs()
    const mine = heard.find((token) => decodeJwt(token).aud === clientId) ?? ''
    await jwtVerify(mine, keys(), { issuer, audience: clientId, typ: 'logout+jwt', algorithms: [alg] })
    await app.stop()
  })

  test.each([['PS256'], ['ES256']])('%s: keys rotate like the others', async (alg) => {
    const { config } = await createClient(running, { idTokenAlg: alg as 'PS256' })
    const { browser } = await signedIn()
    const signer = async () => {
      const { url, verifier } = await request(config)
      const { url: end } = await follow(running, browser, url)
      const answer = await fetch(running.at('/oidc/token'), {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: config.clientMetadata().client_id,
          code: end.searchParams.get('code') ?? '',
          redirect_uri: redirectUri,
          code_verifier: verifier,
        }),
      })
      return decodeProtectedHeader((await answer.json()).id_token).kid
    }
    const [active, next] = await published(alg)
    expect(await signer()).toBe(active)
    // the test of each algorithm follows the one before
    const start = Date.now() + (alg === 'PS256' ? 0 : 200) * 86_400_000
    const rotate = async (days: number) => {
      await rotateKeys(new Date(start + days * 86_400_000))
      dropCached('oidc-keys')
    }
    if (alg === 'PS256') {
      await rotate(91)
      expect(await signer()).toBe(next)
      expect((await published(alg)).slice(0, 3)).toContain(active)
      await rotate(100)
      expect(await published(alg)).not.toContain(active)
    } else {
      await rotate(0)
      expect(await signer()).toBe(next)
    }
    for (const each of ['RS256', 'PS256', 'ES256']) expect((await published(each)).length).toBeGreaterThanOrEqual(2)
  })
})
