import { eq } from 'drizzle-orm'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { applications, history } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { redis } from '@/lib/base/redis/redis'
import { trialScopes } from '@/lib/openid/trials/scopes'
import { signedInWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { askForTrial, beginTrial, outcomeOf, type Person, recordsOf, trialRights } from '../../factories/client-trial'
import { createDomain } from '../../factories/domains'
import { createClient, follow, formAction, startProvider, submit } from '../../factories/oidc'
import { tokensFor } from '../../factories/oidc-flows'
import { useTestDatabase } from '../../setup/database'

// docs/rules/openid-provider.md#trial-sign-in

useTestDatabase()

const secret = 'a secret of forty-three characters or thereabouts'

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

describe('a trial sign-in', () => {
  test.each([
    ['a secret in a header', { secret }],
    ['a secret in the body', { secret, authMethod: 'client_secret_post' as const }],
    ['no secret', {}],
    ['another algorithm', { secret, idTokenAlg: 'ES256' as const }],
    ['an application without refresh tokens', { secret, grantTypes: ['authorization_code'] }],
  ])('shows what an application with %s learns, and leaves nothing', async (_, wishes) => {
    const [person, made] = [await signedInWith(trialRights), await createClient(running, wishes)]
    const { url, status, body } = await follow(running, person.browser, await beginTrial(person, made))
    expect(`${status} ${body}`).toBe('303 ')
    expect(url.pathname).toBe(`/platform/setting/applications/${made.application.id}/trial`)
    expect(url.searchParams.get('client')).toBe(made.clientId)
    // neither code nor token is in the address
    expect([...url.searchParams.keys()].sort()).toEqual(['client', 'trial'])
    const outcome = await outcomeOf(person, made, url)
    expect(outcome).toMatchObject({
      clientId: made.clientId,
      scope: `openid ${trialScopes.join(' ')}`,
      error: null,
      idToken: { aud: made.clientId, sub: person.user.id, acr: expect.any(String), amr: ['pwd'] },
      userinfo: { sub: person.user.id, preferred_username: person.user.login, roles: expect.any(Array) },
    })
    expect(await recordsOf(person, made)).toEqual([])
    expect(JSON.stringify(outcome)).not.toMatch(/access_token|refresh_token|eyJ/)
  })

  test('asks for what was chosen', async () => {
    const [person, made] = [await signedInWith(trialRights), await createClient(running, { secret })]
    const { url } = await follow(running, person.browser, await beginTrial(person, made, ['email']))
    const outcome = await outcomeOf(person, made, url)
    expect(outcome?.scope).toBe('openid email')
    expect(Object.keys(outcome?.userinfo ?? {}).sort()).toEqual(['email', 'email_verified', 'sid', 'sub'])
  })

  test('leaves the person signed in to the application as before', async () => {
    const [person, made] = [await signedInWith(trialRights), await createClient(running, { secret })]
    const tokens = await tokensFor(running, person.browser, made.config)
    const before = (await recordsOf(person, made)).map(({ idHash }) => idHash).sort()
    const { url } = await follow(running, person.browser, await beginTrial(person, made))
    expect((await outcomeOf(person, made, url))?.error).toBeNull()
    expect((await recordsOf(person, made)).map(({ idHash }) => idHash).sort()).toEqual(before)
    expect(await client.fetchUserInfo(made.config, tokens.access_token, person.user.id)).toMatchObject({
      sub: person.user.id,
    })
    expect(await client.refreshTokenGrant(made.config, tokens.refresh_token ?? '')).toMatchObject({
      token_type: 'bearer',
    })
  })

  test('doesn’t hinder the sign-in to the application after it', async () => {
    const [person, made] = [await signedInWith(trialRights), await createClient(running, { secret })]
    await follow(running, person.browser, await beginTrial(person, made))
    const tokens = await tokensFor(running, person.browser, made.config)
    expect(tokens.claims()?.sub).toBe(person.user.id)
    await follow(running, person.browser, await beginTrial(person, made))
    expect(await client.fetchUserInfo(made.config, tokens.access_token, person.user.id)).toBeDefined()
  })

  test('asks for consent to an application of others, and tells of a refusal', async () => {
    const [person, made] = [await signedInWith(trialRights), await createClient(running, { secret, external: true })]
    for (const decision of ['refuse', 'allow']) {
      const asked = await follow(running, person.browser, await beginTrial(person, made))
      expect(asked.status).toBe(200)
      const answer = await submit(running, person.browser, formAction(asked.body), { decision })
      const { url } = await follow(running, person.browser, answer.headers.get('location') ?? '')
      const outcome = await outcomeOf(person, made, url)
      if (decision === 'refuse') expect(outcome).toMatchObject({ error: { code: 'access_denied' }, idToken: null })
      else expect(outcome).toMatchObject({ error: null, idToken: { aud: made.clientId } })
      expect(await recordsOf(person, made)).toEqual([])
    }
  })

  test('of an application that isn’t open to the person shows the page of everybody, and tells of it', async () => {
    const [person, made] = [await signedInWith(trialRights), await createClient(running, { secret, methods: ['open'] })]
    const asked = await follow(running, person.browser, await beginTrial(person, made))
    expect(asked.status).toBe(403)
    const backPath = /href="([^"]+\/back)"/.exec(asked.body)?.[1] ?? ''
    const { url } = await follow(running, person.browser, backPath)
    expect(await outcomeOf(person, made, url)).toMatchObject({ error: { code: 'access_denied' }, userinfo: null })
  })

  test('is in the history, once', async () => {
    const [person, made] = [await signedInWith(trialRights), await createClient(running, { secret })]
    await beginTrial(person, made)
    const rows = await db().select().from(history).where(eq(history.changerId, person.user.id))
    const acts = rows.filter(({ entity }) => entity === 'oidcClients')
    expect(acts).toMatchObject([{ type: 'update', field: 'tried', previous: null }])
  })
})

describe('a client that can’t be tried', () => {
  const start = async (person: Person, clientId: string) => {
    const { status, body } = await askForTrial(person, clientId, [])
    return `${status} ${body.code}`
  }
  const keys = { keys: [] }

  test.each([
    ['is disabled', 'trialUnusable', { secret, enabled: false }],
    ['acts without people', 'trialWithoutPeople', { secret, grantTypes: ['client_credentials'] }],
    ['has no address', 'trialWithoutPeople', { secret, redirectUris: [] }],
    ['proves itself by keys', 'trialWithKeys', { authMethod: 'private_key_jwt' as const, jwks: keys }],
  ])('because it %s is refused, and nothing is kept', async (_, code, wishes) => {
    const [person, { clientId }] = [await signedInWith(trialRights), await createClient(running, wishes as object)]
    const before = (await redis().keys('client-trial*')).sort()
    expect(await start(person, clientId)).toBe(`409 ${code}`)
    expect((await redis().keys('client-trial*')).sort()).toEqual(before)
    const rows = await db().select().from(history).where(eq(history.changerId, person.user.id))
    expect(rows.filter(({ entity }) => entity === 'oidcClients')).toEqual([])
  })

  test('because its application is disabled or a draft is refused', async () => {
    const person = await signedInWith(trialRights)
    for (const values of [{ enabled: false }, { type: 'draft' as const }]) {
      const { clientId, application } = await createClient(running, { secret })
      await db().update(applications).set(values).where(eq(applications.id, application.id))
      dropCached('oidc-clients')
      expect(await start(person, clientId)).toBe('409 trialUnusable')
    }
  })

  test('because there is none is notFound', async () => {
    expect(await start(await signedInWith(trialRights), 'nobody')).toBe('404 notFound')
  })

  test('on another domain than the issuer’s is tried there: trialElsewhere', async () => {
    const host = await createDomain()
    const { clientId } = await createClient(running, { secret })
    expect(await start(await signedInWith(trialRights, new Browser(host)), clientId)).toBe('409 trialElsewhere')
  })

  test('by whoever may only read, or by a program, is refused', async () => {
    const { clientId } = await createClient(running, { secret })
    expect(await start(await signedInWith(['applications.read']), clientId)).toMatch(/^403/)
  })

  test('too often in a row has to wait', async () => {
    const [person, made] = [await signedInWith(trialRights), await createClient(running, { secret })]
    for (let n = 0; n < 60; n++) await beginTrial(person, made)
    expect(await start(person, made.clientId)).toMatch(/^429/)
  })
})
