import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, messages, providerLinks, users } from '@/db/schema'
import { redis } from '@/lib/base/redis/redis'
import * as calls from '@/lib/directory-sync/provider-sign-in/contract'
import { enableProvider, readProvider } from '@/lib/directory-sync/providers/contract'
import { signedInAsAdministrator, signedInWith } from '../../factories/access'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { startOpenidProvider } from '../../factories/openid-imitation'
import { comeBack, connectProvider, signInAt, somebody } from '../../factories/openid-provider'
import { handlerOf } from '../../factories/routes'
import { begin, signedInStatus, signInByPassword, startSessionOf } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const POST = handlerOf(calls.linkOwnProvider)

useTestDatabase()

let openid: Awaited<ReturnType<typeof startOpenidProvider>>
let administrator: Caller
/** Who may claim mail domains. */
const chief = async () => new Caller((await signedInAsAdministrator()).browser)
let id = ''
beforeAll(async () => {
  administrator = new Caller((await signedInWith(['providers.write'])).browser)
  openid = await startOpenidProvider()
  id = await connectProvider(administrator, openid)
})
beforeEach(() => redis().flushdb())

const person = async () => {
  const { user, browser } = await signedInWith()
  return { user, browser, caller: new Caller(browser) }
}
const asking = async (caller: Caller) => (await caller.call(calls.linkOwnProvider, { params: { id } })).leads
async function linked(claims = somebody()) {
  const one = await person()
  const end = await comeBack(one.browser, id, openid.agree(await asking(one.caller), claims))
  expect(end).toBe('/platform/profile/personal?provider=linked')
  return { ...one, claims }
}
const linksOf = (userId: string) => db().select().from(providerLinks).where(eq(providerLinks.userId, userId))
const outcome = (address: string) => new URL(address, 'http://localhost:3000').searchParams.get('provider')

describe('an account of a provider that a person has linked', () => {
  test('signs them in to their own account, of which the provider changes nothing', async () => {
    const { user, caller, claims } = await linked()
    const [before] = await db().select().from(users).where(eq(users.id, user.id))
    const other = new Browser()
    expect(await signInAt(other, id, openid, { ...claims, given_name: 'Другая' })).toBe('/platform/profile')
    expect(await signedInStatus(other)).toBe(200)
    expect((await db().select().from(users).where(eq(users.id, user.id)))[0]).toEqual(before)
    expect(before?.providerId).toBeNull()
    const { providers } = await caller.call(calls.listOwnProviders)
    expect(providers.find((each) => each.id === id)).toMatchObject({ linked: { name: claims.email }, linkable: false })
    expect((await signInByPassword(new Browser(), user.login, password)).status).toBe(200)
    expect(await administrator.call(readProvider, { params: { id } })).toMatchObject({
      provider: { linked: expect.any(Number) },
    })
  })

  test('is in the history, and a mail tells of it, by names alone', async () => {
    const { user, claims } = await linked()
    const rows = await db()
      .select({ current: history.current })
      .from(history)
      .where(and(eq(history.entityId, user.id), eq(history.field, 'linkedProviders')))
    expect(JSON.stringify(rows)).toContain(claims.email)
    const mails = await db().select().from(messages).where(eq(messages.userId, user.id))
    expect(mails.map(({ template }) => template)).toContain('providerLinked')
  })

  test('of somebody who holds much lets nobody change the provider who holds less', async () => {
    const ownProvider = await startOpenidProvider()
    const ownId = await connectProvider(administrator, ownProvider)
    const { browser } = await signedInWith(['license.write'])
    const strong = new Caller(browser)
    const { leads } = await strong.call(calls.linkOwnProvider, { params: { id: ownId } })
    await comeBack(browser, ownId, ownProvider.agree(leads, somebody()))
    const answer = await administrator.send(enableProvider, { params: { id: ownId }, body: { enabled: false } })
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbiddenUser' } })
  })

  test('is unlinked again, which ends the other sessions; the only way to sign in stays', async () => {
    const { user, browser, caller, claims } = await linked()
    const other = new Browser()
    await signInAt(other, id, openid, claims)
    await caller.call(calls.unlinkOwnProvider, { params: { id } })
    expect(await linksOf(user.id)).toEqual([])
    expect([await signedInStatus(browser), await signedInStatus(other)]).toEqual([200, 401])
    expect(await signInAt(new Browser(), id, openid, claims)).toContain('/platform/')
    expect(await linksOf(user.id)).toEqual([])
    const alone = await linked()
    await db().update(users).set({ passwordHash: null, email: null, mobile: null }).where(eq(users.id, alone.user.id))
    expect(await alone.caller.send(calls.unlinkOwnProvider, { params: { id } })).toMatchObject({
      status: 409,
      body: { code: 'providerOnlyWay' },
    })
  })
})

test('linking is refused for what isn’t offered, is linked already or doesn’t answer, and often', async () => {
  const { caller } = await linked()
  const codeOf = async (by: Caller, to: string) => {
    const { status, body } = await by.send(calls.linkOwnProvider, { params: { id: to } })
    return [status, body.code]
  }
  expect(await codeOf(caller, id)).toEqual([409, 'providerLinked'])
  expect(await codeOf(caller, crypto.randomUUID())).toEqual([404, 'notFound'])
  const hidden = await connectProvider(await chief(), openid, { domains: [], emailDomains: ['x.example'] })
  expect(await codeOf(caller, hidden)).toEqual([404, 'notFound'])
  const down = await startOpenidProvider()
  const downId = await connectProvider(administrator, down)
  down.broken = () => 500
  expect(await codeOf(caller, downId)).toEqual([400, 'providerDown'])
  const eager = await person()
  for (let n = 0; n < 30; n++) await asking(eager.caller)
  expect(await codeOf(eager.caller, id)).toEqual([429, 'tooManyAttempts'])
})

describe('an attack on linking', () => {
  test('with an account that another person has: linked, or made by the provider', async () => {
    const { claims, user } = await linked()
    const made = somebody()
    await signInAt(new Browser(), id, openid, made)
    for (const theirs of [claims, made]) {
      const thief = await person()
      expect(outcome(await comeBack(thief.browser, id, openid.agree(await asking(thief.caller), theirs)))).toBe('taken')
      expect(await linksOf(thief.user.id)).toEqual([])
    }
    expect(await linksOf(user.id)).toHaveLength(1)
  })

  test('by 30 people at once: one has it', async () => {
    const claims = somebody()
    const people: Browser[] = []
    // they sign in elsewhere, because thirty passwords take long
    const home = await startOpenidProvider()
    const homeId = await connectProvider(administrator, home)
    for (let n = 0; n < 30; n++) people.push(new Browser())
    for (const browser of people) await signInAt(browser, homeId, home, somebody())
    const backs = await Promise.all(people.map(async (one) => openid.agree(await asking(new Caller(one)), claims)))
    const ends = await thirty((n) => comeBack(people[n] as Browser, id, backs[n] as URL))
    expect(ends.map(outcome).sort()).toEqual(['linked', ...Array.from({ length: 29 }, () => 'taken')])
    expect(await db().select().from(providerLinks).where(eq(providerLinks.externalId, claims.sub))).toHaveLength(1)
  })

  test('by an answer in another browser: the victim’s account doesn’t get the attacker’s', async () => {
    const attacker = await person()
    const callback = openid.agree(await asking(attacker.caller), somebody())
    const victim = await person()
    expect(await comeBack(victim.browser, id, callback)).toContain('refused=answer')
    expect(await linksOf(victim.user.id)).toEqual([])
  })

  test('by an answer after the person has gone: signed out, somebody else, or signed in anew', async () => {
    const first = await person()
    const callback = openid.agree(await asking(first.caller), somebody())
    const shared = first.browser
    const next = await createUser()
    await signInByPassword(shared, next.login, password)
    expect(outcome(await comeBack(shared, id, callback))).toBe('answer')
    const again = await person()
    const later = openid.agree(await asking(again.caller), somebody())
    again.browser.cookies.delete('platform-session')
    expect(await comeBack(again.browser, id, later)).toContain('refused=answer')
    const anew = await person()
    const last = openid.agree(await asking(anew.caller), somebody())
    await startSessionOf(anew.browser, anew.user.id)
    expect(outcome(await comeBack(anew.browser, id, last))).toBe('answer')
    for (const userId of [first.user.id, next.id, again.user.id, anew.user.id])
      expect(await linksOf(userId)).toEqual([])
  })

  test('by a sign-in in place of it: an answer to a sign-in links nothing, one to a link signs nobody in', async () => {
    const { browser, user, caller } = await person()
    const claims = somebody()
    const leads = new URL(await asking(caller))
    await comeBack(browser, id, openid.agree(leads, claims))
    expect(await linksOf(user.id)).toHaveLength(1)
    const strangers = await person()
    await signInAt(strangers.browser, id, openid, somebody())
    expect(await linksOf(strangers.user.id)).toEqual([])
  })

  test('from another site is refused before anything begins', async () => {
    const { browser, user } = await person()
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    expect(await browser.send(POST, 'POST', { params: { id }, headers })).toMatchObject({ status: 403 })
    expect(await redis().keys('provider-sign-in:*')).toEqual([])
    expect(await linksOf(user.id)).toEqual([])
  })
})

describe('an e-mail of a domain that a provider claims', () => {
  test('leads there, with an account or without one; who came back goes on here', async () => {
    const claimed = `mail-${crypto.randomUUID().slice(0, 8)}.example`
    const claiming = await connectProvider(await chief(), openid, { emailDomains: [claimed], domains: [] })
    const existing = await createUser({ email: `known@${claimed}` })
    const bodies: unknown[] = []
    for (const email of [existing.email, `unknown@${claimed}`]) {
      const { body } = await begin(new Browser(), email, 'email')
      expect(body.leads).toBe(
        `/api/v1/platform/auth/providers/${claiming}/start?login_hint=${encodeURIComponent(email)}`,
      )
      bodies.push(Object.keys(body).sort())
      expect((await begin(new Browser(), email, 'email', { here: '1' })).body.leads).toBeUndefined()
    }
    expect(bodies[0]).toEqual(bodies[1])
    expect((await begin(new Browser(), `x@sub.${claimed}`, 'email')).body.leads).toBeUndefined()
    expect((await begin(new Browser(), existing.login)).body.leads).toBeUndefined()
  })
})
