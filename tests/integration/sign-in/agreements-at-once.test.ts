import { eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { domainAgreements, history, userAgreements, users } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { readProfileDetails } from '@/lib/my-account/personal/contract'
import { pageUser } from '@/lib/request/navigation'
import { acceptAgreements } from '@/lib/sign-in/agreements/contract'
import { authLogout } from '@/lib/sign-in/attempts/contract'
import { contracts } from '@/lib/wiring/contracts'
import { baseDomainId } from '../../factories/agreements'
import { Browser } from '../../factories/browser'
import { type AnyContract, Caller } from '../../factories/caller'
import { createAgreement, createDomain, publishVersion } from '../../factories/domains'
import { contextOf } from '../../factories/invitations'
import { createClient, follow, request, startProvider } from '../../factories/oidc'
import { tokensFor } from '../../factories/oidc-flows'
import { store } from '../../factories/platform'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { handlerOf } from '../../factories/routes'
import { signedInStatus, startSessionOf } from '../../factories/sign-in'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const POST = handlerOf(acceptAgreements)

useTestDatabase()

const agreeing = (id: string, version: number, agree = true) => ({
  body: { termsAgree: [{ type: id, agree, version }] },
})

/** Somebody who is signed in at a domain that asks for an agreement, in its first version. */
async function signedInAtAsking(roles = ['user']) {
  const agreement = await createAgreement()
  const host = await createDomain({ agreement })
  const user = await createUser({ roles })
  const browser = new Browser(host)
  await startSessionOf(browser, user.id)
  const caller = new Caller(browser)
  return {
    agreement,
    user,
    browser,
    caller,
    agree: (version: number) => caller.send(acceptAgreements, agreeing(agreement, version), POST),
  }
}

/** Where a page leads instead; null if it opens. */
async function ledTo(browser: Browser, path: string) {
  const ctx = await contextOf(browser)
  try {
    await pageUser(ctx, path)
    return null
  } catch (error) {
    const [, address] = /NEXT_REDIRECT;\w+;([^;]+);/.exec(String((error as { digest?: unknown }).digest)) ?? []
    if (!address) throw error
    return address
  }
}

const asked = { status: 403, body: { code: 'termsRequired' } }

describe('a session that has to agree', () => {
  test('is asked at its next page and call as soon as the version rises, and goes on when it has agreed', async () => {
    const { agreement, caller, browser, agree, user } = await signedInAtAsking()
    expect(await caller.send(readProfileDetails)).toMatchObject(asked)
    expect((await agree(1)).status).toBe(200)
    expect((await caller.send(readProfileDetails)).status).toBe(200)
    expect(await ledTo(browser, '/platform/profile')).toBeNull()
    await publishVersion(agreement, 2)
    expect(await caller.send(readProfileDetails)).toMatchObject({
      ...asked,
      body: { ...asked.body, data: { termsRequired: [{ id: agreement, version: 2 }] } },
    })
    expect(await ledTo(browser, '/platform/profile/personal')).toBe(
      '/platform/agreements?path=%2Fplatform%2Fprofile%2Fpersonal',
    )
    // neither an old version nor a refusal counts, and nothing is stored
    for (const body of [
      agreeing(agreement, 1),
      agreeing(agreement, 2, false),
      { body: { termsAgree: [] } },
      { body: {} },
    ])
      expect(await caller.send(acceptAgreements, body)).toMatchObject(asked)
    expect(await db().$count(userAgreements, eq(userAgreements.userId, user.id))).toBe(1)
    expect((await agree(2)).status).toBe(200)
    expect((await caller.send(readProfileDetails)).status).toBe(200)
    expect(await ledTo(browser, '/platform/profile/personal')).toBeNull()
    const written = await db()
      .select()
      .from(history)
      .where(eq(history.field, `agreement:${agreement}`))
    expect(written.map(({ current }) => current)).toEqual([1, 2])
    // twice changes nothing
    expect((await agree(2)).status).toBe(200)
    expect(await db().$count(userAgreements, eq(userAgreements.userId, user.id))).toBe(2)
  })

  test('is answered so by every call but those that it needs to agree and to leave', async () => {
    const { caller } = await signedInAtAsking(['administrator'])
    const open: string[] = []
    for (const contract of contracts as readonly AnyContract[]) {
      if (contract.access === 'public') continue
      const { status, body } = await caller.send(contract)
      if (status !== 403 || body.code !== 'termsRequired') open.push(contract.name)
    }
    expect(open.toSorted()).toEqual(
      ['acceptAgreements', 'getUserSettings', 'live', 'patchUserSettings'].filter((name) => open.includes(name)),
    )
    expect(open).toContain('getUserSettings')
    // an act that is refused by its rights is refused by them
    const { caller: plain } = await signedInAtAsking()
    expect(
      (await plain.send((contracts as readonly AnyContract[]).find(({ name }) => name === 'listUsers') as AnyContract))
        .body.code,
    ).toBe('forbidden')
  })

  test('signs out, and then is nobody', async () => {
    const { caller, browser } = await signedInAtAsking()
    expect((await caller.send(authLogout)).status).toBe(200)
    expect(await signedInStatus(browser)).toBe(401)
    expect(await ledTo(browser, '/platform/profile')).toBe('/platform/login?path=%2Fplatform%2Fprofile')
  })

  test('another session of the person goes on too, in whichever the answer was given', async () => {
    const { agreement, user, browser, agree } = await signedInAtAsking()
    const second = new Browser(browser.host)
    await startSessionOf(second, user.id)
    const other = new Caller(second)
    for (const version of [1, 2, 3]) {
      if (version > 1) await publishVersion(agreement, version)
      expect(await other.send(readProfileDetails)).toMatchObject(asked)
      expect((await agree(version)).status).toBe(200)
      expect((await other.send(readProfileDetails)).status).toBe(200)
    }
  })

  test('is asked at the next sign-in alone while the setting is off', async () => {
    const { caller, browser } = await signedInAtAsking()
    await store('agreementsAtOnce', false)
    expect((await caller.send(readProfileDetails)).status).toBe(200)
    expect(await ledTo(browser, '/platform/profile')).toBeNull()
    await store('agreementsAtOnce', true)
    expect(await caller.send(readProfileDetails)).toMatchObject(asked)
  })

  test('is asked by its own domain alone', async () => {
    const { user } = await signedInAtAsking()
    const elsewhere = new Browser(await createDomain({}))
    await startSessionOf(elsewhere, user.id)
    expect((await new Caller(elsewhere).send(readProfileDetails)).status).toBe(200)
  })
})

const below = caseNumbers(20620)

test('in random orders of versions, answers and the setting, a call passes exactly when all is agreed', async () => {
  const { agreement, caller, agree, browser } = await signedInAtAsking()
  let [version, agreed, on] = [1, 0, true]
  for (const _ of eachRound(40)) {
    const act = below(4)
    if (act === 0) await publishVersion(agreement, ++version)
    if (act === 1) {
      const agreedVersion = Math.max(1, version - below(2))
      const { status } = await agree(agreedVersion)
      expect(status).toBe(agreedVersion === version || agreed === version ? 200 : 403)
      if (agreedVersion === version) agreed = version
    }
    if (act === 2) {
      on = !on
      await store('agreementsAtOnce', on)
    }
    const passes = !on || agreed === version
    expect((await caller.send(readProfileDetails)).status).toBe(passes ? 200 : 403)
    expect((await ledTo(browser, '/platform/profile')) === null).toBe(passes)
  }
  await store('agreementsAtOnce', true)
})

describe('single sign-on', () => {
  let running: Awaited<ReturnType<typeof startProvider>>
  beforeAll(async () => {
    running = await startProvider()
  })
  afterAll(() => running.stop())

  /** Somebody with tokens of an application, whose domain then asks for an agreement. */
  async function withTokens() {
    const { config } = await createClient(running)
    const user = await createUser()
    const browser = new Browser()
    await startSessionOf(browser, user.id)
    const tokens = await tokensFor(running, browser, config)
    const agreement = await createAgreement()
    const [domainId, caller] = [await baseDomainId(), new Caller(browser)]
    await db().insert(domainAgreements).values({ domainId, documentId: agreement, loginRequired: true })
    dropCached('project-info')
    return { config, user, browser, caller, tokens, agreement }
  }
  const noMore = async (agreement: string) => {
    await db().delete(domainAgreements).where(eq(domainAgreements.documentId, agreement))
    dropCached('project-info')
  }

  test('asks on the way and comes back with a code; prompt=none says that it must ask; refresh tokens go on', async () => {
    const { config, browser, caller, tokens, agreement, user } = await withTokens()
    const silent = await request(config, { prompt: 'none' })
    const { url: refused } = await follow(running, browser, silent.url)
    expect(refused.searchParams.get('error')).toBe('interaction_required')
    const { url, verifier } = await request(config)
    const { url: page } = await follow(running, browser, url)
    expect(page.pathname).toBe('/platform/agreements')
    const onward = page.searchParams.get('path') ?? ''
    expect(onward).toMatch(/^\/platform\/interaction\//)
    // coming back without having agreed asks again, however often
    for (let n = 0; n < 3; n++)
      expect((await follow(running, browser, onward)).url.pathname).toBe('/platform/agreements')
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(refreshed.access_token).toBeTruthy()
    expect((await caller.send(acceptAgreements, agreeing(agreement, 1))).status).toBe(200)
    const { url: end } = await follow(running, browser, onward)
    const got = await client.authorizationCodeGrant(config, end, { pkceCodeVerifier: verifier, expectedState: 'state' })
    expect(got.claims()?.sub).toBe(user.id)
    const again = await request(config, { prompt: 'none' })
    expect((await follow(running, browser, again.url)).url.searchParams.get('error')).toBeNull()
    await noMore(agreement)
  })

  test('of an application that somebody uses for the first time asks too, and signing out on the way ends it', async () => {
    const { browser, caller, agreement, user } = await withTokens()
    const { config } = await createClient(running)
    const { url: page } = await follow(running, browser, (await request(config)).url)
    expect(page.pathname).toBe('/platform/agreements')
    await caller.send(authLogout)
    const { url } = await follow(running, browser, page.searchParams.get('path') ?? '')
    expect(url.pathname).toBe('/platform/login')
    expect(await db().$count(users, eq(users.id, user.id))).toBe(1)
    await noMore(agreement)
  })
})
