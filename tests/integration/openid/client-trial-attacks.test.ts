import { eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { oidcClients, userRoles } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { redis } from '@/lib/base/redis/redis'
import { trialAddress } from '@/lib/openid/trials/service'
import { invalidateSessions } from '@/lib/sign-in/sessions/service'
import { signedInWith } from '../../factories/access'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import {
  answerToTrial,
  beginTrial,
  isRefusedAddress,
  type MadeClient,
  outcomeOf,
  type Person,
  recordsOf,
  trialRights,
} from '../../factories/client-trial'
import { createClient, follow, redirectUri, request, startProvider, visit } from '../../factories/oidc'
import { authorize, refused } from '../../factories/oidc-flows'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { signOut } from '../../factories/sign-in'
import { useTestDatabase } from '../../setup/database'

// docs/rules/openid-provider.md#trial-sign-in

useTestDatabase()

const secret = 'a secret of forty-three characters or thereabouts'

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

describe('the address of trials', () => {
  test('is refused by the provider for any request that isn’t a trial’s own, letter by letter', async () => {
    const [person, made] = [await signedInWith(trialRights), await createClient(running, { secret })]
    const other = await createClient(running, { secret })
    const random = caseNumbers(89)
    const pick = <T>(list: readonly T[]) => list[random(list.length)] as T
    const changes: ((query: URLSearchParams) => void)[] = [
      (query) => query.delete('code_challenge'),
      (query) => query.set('code_challenge', `${query.get('code_challenge')?.slice(0, -1)}${pick([...'ABCabc012'])}`),
      (query) => query.delete('code_challenge_method'),
      (query) => query.set('client_id', other.clientId),
      (query) => query.set('scope', pick(['openid', 'openid offline_access', 'openid profile email'])),
      (query) => query.delete('nonce'),
      (query) => query.set('nonce', `n${random(1e6)}`),
      (query) => query.set('state', `s${random(1e6)}`),
      (query) => query.delete('state'),
      (query) => query.append('prompt', pick(['none', 'login', 'consent'])),
      (query) => query.append('response_mode', pick(['query', 'form_post', 'fragment'])),
      (query) => query.append('state', `s${random(1e6)}`),
      (query) => query.append('resource', 'https://app.example/'),
      (query) => query.append('acr_values', 'base'),
      (query) => query.append('login_hint', 'anna'),
      (query) => query.append('x', String(random(1e6))),
    ]
    for (const round of eachRound(150)) {
      const address = new URL(await beginTrial(person, made))
      const before = address.search
      for (let n = 0; n <= random(3); n++) pick(changes)(address.searchParams)
      if (round % 7 === 0)
        address.search = [...address.searchParams]
          .reverse()
          .map(([k, v]) => `${k}=${encodeURIComponent(v)}`)
          .join('&')
      if (address.search === before) continue
      expect(await isRefusedAddress(running, person, address), address.search).toBe(true)
      // one person begins more than their limit here
      for (const key of await redis().keys('limit:client-trial:*')) await redis().del(key)
    }
  }, 60_000)

  test('is refused without a trial: for a request, a pushed one, and a client that registered it', async () => {
    const person = await signedInWith(trialRights)
    const made = await createClient(running, { secret, redirectUris: [redirectUri, trialAddress()] })
    const more: Record<string, string>[] = [{}, { prompt: 'none' }, { response_mode: 'form_post' }]
    for (const params of more) {
      const { url } = await request(made.config, { redirect_uri: trialAddress(), ...params })
      expect(await isRefusedAddress(running, person, url)).toBe(true)
    }
    const pushed = client.buildAuthorizationUrlWithPAR(made.config, {
      redirect_uri: trialAddress(),
      scope: 'openid',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })
    await expect(pushed).rejects.toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('redirect_uri'),
    })
    // and addresses that only look like it are nobody's
    for (const like of ['/', '?x=1', '#', '%2f', '/../trial']) {
      const { url } = await request(made.config, { redirect_uri: `${trialAddress()}${like}` })
      expect(await isRefusedAddress(running, person, url)).toBe(true)
    }
  })

  test('is refused in another session, also of the same person, and to nobody', async () => {
    const [person, made] = [await signedInWith(trialRights), await createClient(running, { secret })]
    const address = await beginTrial(person, made)
    const another = await signedInWith(trialRights)
    expect(await isRefusedAddress(running, another, address)).toBe(true)
    expect(await isRefusedAddress(running, { ...person, browser: new Browser() }, address)).toBe(true)
    // none of them has used it up
    const { url } = await follow(running, person.browser, address)
    expect((await outcomeOf(person, made, url))?.error).toBeNull()
  })

  test('is accepted once, also of thirty requests at once', async () => {
    const [person, made] = [await signedInWith(trialRights), await createClient(running, { secret })]
    const address = await beginTrial(person, made)
    const answers = await thirty(async () => (await visit(running, person.browser, address)).status)
    expect(answers.filter((status) => status === 303)).toHaveLength(1)
    expect(answers.filter((status) => status === 400)).toHaveLength(29)
    expect(await isRefusedAddress(running, person, address)).toBe(true)
  })

  test('is refused when five minutes are over', async () => {
    const [person, made] = [await signedInWith(trialRights), await createClient(running, { secret })]
    const address = await beginTrial(person, made)
    for (const key of await redis().keys('client-trial:*')) {
      expect(await redis().ttl(key)).toBeLessThanOrEqual(300)
      await redis().del(key)
    }
    expect(await isRefusedAddress(running, person, address)).toBe(true)
  })
})

describe('the answer to a trial', () => {
  const isTurnedAway = async ({ browser }: Person, url: URL) => {
    const answer = await visit(running, browser, url)
    expect(answer.headers.get('location')).toBeNull()
    return answer.status
  }
  async function answered(wishes: Parameters<typeof createClient>[1] = { secret }) {
    const [person, made] = [await signedInWith(trialRights), await createClient(running, wishes)]
    return { person, made, url: await answerToTrial(running, person, await beginTrial(person, made)) }
  }

  test('of an unknown state, without one, and with two is refused', async () => {
    const { person, url } = await answered()
    for (const change of [
      (search: URLSearchParams) => search.set('state', 'foreign'),
      (search: URLSearchParams) => search.delete('state'),
      (search: URLSearchParams) => search.append('state', 'foreign'),
    ]) {
      const changed = new URL(url)
      change(changed.searchParams)
      expect(await isTurnedAway(person, changed)).toBe(403)
    }
    expect(await isTurnedAway(person, new URL(trialAddress()))).toBe(403)
  })

  test('in another session is refused, and doesn’t use it up', async () => {
    const { person, made, url } = await answered()
    expect(await isTurnedAway(await signedInWith(trialRights), url)).toBe(403)
    expect(await isTurnedAway({ ...person, browser: new Browser() }, url)).toBe(403)
    const { url: end } = await follow(running, person.browser, url)
    expect((await outcomeOf(person, made, end))?.error).toBeNull()
  })

  test('counts once, also of thirty at once, and the outcome is theirs alone', async () => {
    const { person, made, url } = await answered()
    const answers = await thirty(() => visit(running, person.browser, url))
    const led = answers.flatMap(({ headers }) => headers.get('location') ?? [])
    expect(led).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(29)
    expect(await isTurnedAway(person, url)).toBe(403)
    expect(await recordsOf(person, made)).toEqual([])
    const end = new URL(led[0] ?? '')
    expect(await outcomeOf(await signedInWith(trialRights), made, end)).toBeNull()
    expect(await outcomeOf(person, await createClient(running, { secret }), end)).toBeNull()
    expect((await outcomeOf(person, made, end))?.error).toBeNull()
  })

  test('with the code of another client, another trial or none shows no claims', async () => {
    const person = await signedInWith(trialRights)
    const [one, other] = [await createClient(running, { secret }), await createClient(running, { secret })]
    const codes = [
      (await authorize(running, person.browser, other.config)).end.searchParams.get('code'),
      (await authorize(running, person.browser, one.config)).end.searchParams.get('code'),
      (await answerToTrial(running, person, await beginTrial(person, other))).searchParams.get('code'),
      (await answerToTrial(running, person, await beginTrial(person, one))).searchParams.get('code'),
      'nothing',
    ]
    for (const code of codes) {
      const url = await answerToTrial(running, person, await beginTrial(person, one))
      url.searchParams.set('code', code ?? '')
      const { url: end } = await follow(running, person.browser, url)
      expect(await outcomeOf(person, one, end)).toMatchObject({
        error: { code: 'invalid_grant' },
        idToken: null,
        userinfo: null,
      })
    }
  })

  test('of another issuer shows no claims', async () => {
    const { person, made, url } = await answered()
    url.searchParams.set('iss', 'https://evil.example')
    const { url: end } = await follow(running, person.browser, url)
    expect(await outcomeOf(person, made, end)).toMatchObject({ error: expect.anything(), idToken: null })
    expect(await recordsOf(person, made)).toEqual([])
  })

  test('leads nowhere but to the page of the trial, whatever the answer says', async () => {
    const { person, made, url } = await answered()
    for (const [name, value] of [
      ['client', 'https://evil.example'],
      ['location', '//evil.example'],
      ['redirect_uri', 'https://evil.example'],
      ['applicationId', '../../../evil'],
    ])
      url.searchParams.set(name ?? '', value ?? '')
    const { url: end } = await follow(running, person.browser, url)
    expect(end.origin).toBe(new URL(trialAddress()).origin)
    expect(end.pathname).toBe(`/platform/setting/applications/${made.application.id}/trial`)
  })

  test('can’t be redeemed by the application: the code is the trial’s', async () => {
    const { made, url } = await answered()
    const grant = client.genericGrantRequest(made.config, 'authorization_code', {
      code: url.searchParams.get('code') ?? '',
      redirect_uri: trialAddress(),
      code_verifier: client.randomPKCECodeVerifier(),
    })
    expect(await refused(grant)).toBe('invalid_grant')
  })

  test.each([
    [
      'the person lost the method',
      async ({ person }: { person: Person }) => {
        await db().delete(userRoles).where(eq(userRoles.userId, person.user.id))
        await (await invalidateSessions(db(), person.user.id, new Date()))()
      },
    ],
    [
      'the client was disabled',
      async ({ made }: { made: MadeClient }) => {
        await db().update(oidcClients).set({ enabled: false }).where(eq(oidcClients.clientId, made.clientId))
        dropCached('oidc-clients')
      },
    ],
    [
      'the session ended',
      async ({ person }: { person: Person }) => {
        expect((await signOut(person.browser)).status).toBe(200)
      },
    ],
  ])('is refused when meanwhile %s', async (_, happens) => {
    const { person, made, url } = await answered()
    await happens({ person, made })
    expect(await isTurnedAway(person, url)).toBe(403)
  })

  test('is taken by GET alone', async () => {
    const { person, url } = await answered()
    for (const method of ['POST', 'HEAD', 'PUT', 'DELETE'])
      expect((await visit(running, person.browser, url, { method })).status).toBe(405)
  })
})
