import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { deviceTypes, domains, history, links, sessions, userAgreements, users } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { entryLinkStatus, setEntryPassword } from '@/lib/sign-in/passwords/contract'
import { Browser } from '../../factories/browser'
import { createAgreement, createDomain, publishVersion } from '../../factories/domains'
import { createDomainWith, first as firstOf } from '../../factories/platform'
import { handlerOf } from '../../factories/routes'
import { begin, prove, signedInStatus, signInByPassword, signOut } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const setPassword = handlerOf(setEntryPassword)
const status = handlerOf(entryLinkStatus)

useTestDatabase()

describe('agreements', () => {
  test('are asked for once, again when the version rises, and only if the domain requires them', async () => {
    const agreement = await createAgreement()
    const host = await createDomain({ agreement })
    const user = await createUser()
    const browser = new Browser(host)
    const asked = await signInByPassword(browser, user.login, password)
    expect(asked).toMatchObject({
      status: 403,
      body: {
        code: 'termsRequired',
        data: { termsRequired: [{ id: agreement, version: 1, title: 'Соглашение', linkTitle: 'соглашение' }] },
      },
    })
    expect(await signedInStatus(browser)).toBe(401)
    const agree = (version: number, yes = true) =>
      prove(browser, user.login, { termsAgree: [{ type: agreement, agree: yes, version }] })
    expect((await agree(1, false)).body.code).toBe('termsRequired')
    expect((await agree(2)).body.code).toBe('termsRequired')
    expect((await agree(1)).body).toMatchObject({ next: 'done' })
    expect(await db().select().from(userAgreements).where(eq(userAgreements.userId, user.id))).toMatchObject([
      { documentId: agreement, version: 1, ip: browser.ip },
    ])
    expect(
      await db()
        .select()
        .from(history)
        .where(eq(history.field, `agreement:${agreement}`)),
    ).toMatchObject([{ entityId: user.id, current: 1 }])

    await signOut(browser)
    expect((await signInByPassword(browser, user.login, password)).status).toBe(200)
    await signOut(browser)
    await publishVersion(agreement, 2)
    expect(await signInByPassword(browser, user.login, password)).toMatchObject({
      status: 403,
      body: { data: { termsRequired: [{ version: 2 }] } },
    })
    expect((await agree(2)).status).toBe(200)
    expect((await signInByPassword(new Browser(), user.login, password)).status).toBe(200)
  })
})

test('a sign-in that began elsewhere ends if this device may not use its identifier', async () => {
  const desktop = firstOf(await db().select().from(deviceTypes).where(eq(deviceTypes.code, 'desktop')))
  const host = 'desk.localhost'
  const domainId = await createDomainWith({ hosts: [host] })
  const [user, browser] = [await createUser(), new Browser(host)]
  await begin(browser, user.login)
  await db()
    .update(domains)
    .set({ devicesIdAttributes: { [desktop.id]: ['email'] } })
    .where(eq(domains.id, domainId))
  dropCached('domains')
  expect(await prove(browser, user.login, { password })).toMatchObject({ status: 400, body: { code: 'deviceLimit' } })
  expect(await signedInStatus(browser)).toBe(401)
  expect((await signInByPassword(new Browser(host), user.email, password, 'email')).status).toBe(200)
})

describe('the first-entry password', () => {
  const first = async () => {
    const user = await createUser({ passwordChangeRequired: true })
    const browser = new Browser()
    const answer = await signInByPassword(browser, user.login, password)
    expect(answer).toMatchObject({ status: 200, body: { next: 'set_password', setPassword: expect.any(String) } })
    return { user, browser, id: String(answer.body.setPassword) }
  }
  const put = (browser: Browser, id: string, fresh: string, repeat = fresh) =>
    browser.send(setPassword, 'PUT', { params: { id }, body: { password: fresh, repeatPassword: repeat } })
  const look = async (browser: Browser, id: string) => browser.send(status, 'GET', { params: { id } })
  const fresh = 'Another-horse-8'

  test('is set between the factors and the session, and then signs in', async () => {
    const { user, browser, id } = await first()
    expect(await signedInStatus(browser)).toBe(401)
    expect(await db().select().from(sessions).where(eq(sessions.userId, user.id))).toEqual([])
    expect((await look(browser, id)).status).toBe(200)
    expect((await put(browser, id, fresh)).body).toEqual({ next: 'done', redirect: '/platform/profile' })
    expect(await signedInStatus(browser)).toBe(200)
    expect((await look(browser, id)).body.code).toBe('linkUsed')
    expect((await put(browser, id, 'Third-horse-9')).status).toBe(400)
    expect((await signInByPassword(new Browser(), user.login, fresh)).body).toMatchObject({ next: 'done' })
    expect((await signInByPassword(new Browser(), user.login, password)).status).toBe(400)
    const row = (await db().select().from(history).where(eq(history.entityId, user.id))).find(
      ({ field }) => field === 'password',
    )
    expect(row).toMatchObject({ previous: '***', current: '***' })
  })

  test('in another browser it sets the password and leads to the sign-in page', async () => {
    const { browser, id } = await first()
    const other = new Browser()
    expect((await put(other, id, fresh)).body).toEqual({ next: 'done', redirect: '/platform/login' })
    expect(await signedInStatus(other)).toBe(401)
    expect(await signedInStatus(browser)).toBe(401)
  })

  test('must satisfy the rules, be repeated correctly, and differ from the previous one', async () => {
    const { browser, id } = await first()
    const faults = async (...[value, repeat]: [string, string?]) =>
      ((await put(browser, id, value, repeat)).body.data as { errorList: unknown }).errorList
    expect(await faults('short')).toEqual([{ field: 'password', code: 'errorPasswordRules' }])
    expect(await faults('nouppercase-1')).toEqual([{ field: 'password', code: 'errorPasswordRules' }])
    expect(await faults(password)).toEqual([{ field: 'password', code: 'errorPasswordSame' }])
    expect(await faults(fresh, `${fresh}x`)).toEqual([
      { field: 'password', code: 'errorMatch' },
      { field: 'repeatPassword', code: 'errorMatch' },
    ])
    expect((await look(browser, id)).status).toBe(200)
  })

  test('its link is refused if it is unknown, expired, canceled by a newer one or opened by somebody else, and works once in parallel', async () => {
    const { user, browser, id } = await first()
    expect((await look(browser, crypto.randomUUID())).status).toBe(404)
    const stranger = new Browser()
    await signInByPassword(stranger, (await createUser()).login, password)
    expect(await look(stranger, id)).toMatchObject({ status: 403, body: { code: 'accessError' } })
    expect((await put(stranger, id, fresh)).status).toBe(403)

    const again = await signInByPassword(new Browser(), user.login, password)
    expect(await look(browser, id)).toMatchObject({
      status: 403,
      body: { code: 'canceledError', data: { expired: false } },
    })
    const newer = String(again.body.setPassword)
    await db()
      .update(links)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(links.userId, user.id))
    expect(await look(browser, newer)).toMatchObject({
      status: 403,
      body: { code: 'canceledError', data: { expired: true } },
    })

    const race = await first()
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => put(race.browser.copy(), race.id, `Parallel-horse-${n}`)),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.every((answer) => [200, 400, 409].includes(answer.status))).toBe(true)
    const stored = await db().select().from(users).where(eq(users.id, race.user.id))
    expect(stored).toMatchObject([{ passwordChangeRequired: false }])
  })

  test('no table contains a link’s id in plain text', async () => {
    const { id } = await first()
    const { rows } = await db().execute(`select 1 from links as t where t::text like '%${id}%'`)
    expect(rows).toEqual([])
  })
})
