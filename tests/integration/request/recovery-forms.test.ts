import { and, eq, isNull } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { links, sessions, userAgreements, users } from '@/db/schema'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { createAgreement, createDomain, publishVersion } from '../../factories/domains'
import { openPage, post } from '../../factories/page-forms'
import { linkIn, mailsTo, recoveryLink } from '../../factories/recovery'
import { newPassword } from '../../factories/registration'
import { signedInStatus, signInByPassword, startSessionOf } from '../../factories/sign-in'
import { createRole, createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const both = (typed: string) => ({ password: typed, repeatPassword: typed })
const sessionsOf = (userId: string) => db().$count(sessions, and(eq(sessions.userId, userId), isNull(sessions.endedAt)))
const agreedBy = (userId: string) => db().$count(userAgreements, eq(userAgreements.userId, userId))

describe('a new password by a link', () => {
  const addressOf = (id: string) => `/platform/new-password/${id}`
  const save = (browser: Browser, id: string, fields: Record<string, string | string[]>) =>
    post(browser, addressOf(id), { form: 'recover', ...fields })

  test('is set after its faults, without being kept anywhere, and signs in', async () => {
    const [browser, user] = [new Browser(), await createUser()]
    const id = await recoveryLink(browser, user)
    const faults = async (fields: Record<string, string>) => {
      const { to, outcome } = await save(browser, id, fields)
      expect(to).toBe(addressOf(id))
      expect(outcome?.values).toEqual([])
      const list = outcome?.data.errorList as { field: string; code: string }[] | undefined
      return list?.map(({ field, code }) => `${field} ${code}`)
    }
    expect(await faults({})).toEqual(['password errorEmpty', 'repeatPassword errorEmpty'])
    expect(await faults({ repeatPassword: 'x' })).toEqual(['password errorEmpty', 'repeatPassword errorMatch'])
    expect(await faults({ password: newPassword, repeatPassword: 'x' })).toEqual([
      'password errorMatch',
      'repeatPassword errorMatch',
    ])
    expect(await faults(both('Password-1'))).toEqual(['password errorPasswordBreached'])
    expect(await faults(both(password))).toEqual(['password errorPasswordRecent'])
    expect(await faults(both('x'.repeat(4_096)))).toEqual(['password errorTooLong', 'repeatPassword errorTooLong'])
    expect(await save(browser, id, both(newPassword))).toEqual({ status: 303, to: '/platform/profile', outcome: null })
    expect(await signedInStatus(browser)).toBe(200)
    expect((await signInByPassword(new Browser(), user.login, newPassword)).status).toBe(200)
  })

  test('people who must prove more see on the same page that it was saved', async () => {
    const role = await createRole({ firstFactor: ['credentials'], secondFactor: ['email_code'] })
    const [browser, user] = [new Browser(), await createUser({ roles: [role] })]
    const id = await recoveryLink(browser, user)
    const saved = await save(browser, id, both(newPassword))
    expect(saved).toMatchObject({ to: `${addressOf(id)}?step=saved`, outcome: null })
    expect(await signedInStatus(browser)).toBe(401)
  })

  test('agreements are asked for with it; those that a domain requires meanwhile are asked for next', async () => {
    const agreement = await createAgreement()
    const browser = new Browser(await createDomain({ agreement }))
    const user = await createUser()
    const id = await recoveryLink(browser, user)
    const first = `${agreement} 1`
    const missing = { status: 400, data: { errorList: [{ field: `terms-${agreement}`, code: 'errorTerms' }] } }
    expect((await save(browser, id, { ...both(newPassword), document: first })).outcome).toMatchObject(missing)
    // the page didn't ask for it
    expect((await save(browser, id, both(newPassword))).outcome).toMatchObject(missing)
    // with the faults of the password
    const { outcome } = await save(browser, id, { ...both(password), document: first })
    expect(outcome?.data.errorList).toEqual([
      expect.objectContaining({ field: 'password', code: 'errorPasswordRecent' }),
      expect.objectContaining({ field: `terms-${agreement}`, code: 'errorTerms' }),
    ])
    const ticked = { ...both(newPassword), document: first, agreed: first }
    await publishVersion(agreement, 2)
    expect((await save(browser, id, ticked)).outcome).toMatchObject({ ...missing, values: [['agreed', first]] })
    expect(await agreedBy(user.id)).toBe(0)
    const second = `${agreement} 2`
    const done = await save(browser, id, { ...both(newPassword), document: second, agreed: second })
    expect(done).toMatchObject({ to: '/platform/profile', outcome: null })
    expect(await agreedBy(user.id)).toBe(1)
  })

  test('a link that died while its page was open changes nothing, and the page says why', async () => {
    const user = await createUser()
    const browser = new Browser()
    const id = await recoveryLink(browser, user)
    const [{ passwordHash } = { passwordHash: null }] = await db().select().from(users).where(eq(users.id, user.id))
    const deaths: Partial<typeof links.$inferInsert>[] = [
      { expiresAt: new Date(Date.now() - 1000) },
      { canceledAt: new Date(), expiresAt: new Date(Date.now() + 3_600_000) },
      { usedAt: new Date(), canceledAt: null },
    ]
    for (const death of deaths) {
      await db().update(links).set(death).where(eq(links.userId, user.id))
      expect(await save(browser, id, both(newPassword))).toMatchObject({ to: addressOf(id), outcome: null })
    }
    expect(await save(browser, crypto.randomUUID(), both(newPassword))).toMatchObject({ outcome: null })
    const [row] = await db().select().from(users).where(eq(users.id, user.id))
    expect(row?.passwordHash).toBe(passwordHash)
    expect(await signedInStatus(browser)).toBe(401)
  })

  test('another account has to sign out first, and returns to the link', async () => {
    const [user, other] = [await createUser(), await createUser()]
    const browser = new Browser()
    const id = await recoveryLink(browser, user)
    await startSessionOf(browser, other.id)
    expect(await save(browser, id, both(newPassword))).toMatchObject({ to: addressOf(id), outcome: null })
    const out = await post(browser, '/platform/sign-out', { form: 'signOut', back: addressOf(id) })
    expect(out).toMatchObject({ status: 303, to: addressOf(id), outcome: null })
    expect(await signedInStatus(browser)).toBe(401)
    expect(await save(browser, id, both(newPassword))).toMatchObject({ to: '/platform/profile' })
  })

  test('thirty clicks set it once and sign in once; two tabs: the second finds the link used', async () => {
    const [browser, user] = [new Browser(), await createUser()]
    const id = await recoveryLink(browser, user)
    const [token, second] = [openPage(browser), openPage(browser)]
    const fields = { form: 'recover', ...both(newPassword) }
    const answers = await thirty(() => post(browser, addressOf(id), fields, { token }))
    expect(new Set(answers.map(({ to }) => to))).toEqual(new Set(['/platform/profile']))
    expect(await sessionsOf(user.id)).toBe(1)
    expect(await mailsTo(user.id, 'passwordChanged')).toHaveLength(1)
    const late = await post(browser, addressOf(id), { ...fields, ...both('Drugoj-veter-42') }, { token: second })
    expect(late).toMatchObject({ to: addressOf(id), outcome: null })
    expect((await signInByPassword(new Browser(), user.login, newPassword)).status).toBe(200)
  })

  test('thirty tabs with thirty tokens set one password', async () => {
    const [browser, user] = [new Browser(), await createUser()]
    const id = await recoveryLink(browser, user)
    openPage(browser)
    await thirty((n) => save(browser.copy(), id, both(`Severnyj-veter-${n}`)))
    expect(await mailsTo(user.id, 'passwordChanged')).toHaveLength(1)
    expect(await sessionsOf(user.id)).toBe(1)
  })
})

describe('a first password', () => {
  /** Somebody who signs in with a temporary password as far as it goes; the address of the page that follows. */
  async function entering(host?: string) {
    const user = await createUser({ passwordChangeRequired: true })
    const browser = new Browser(host)
    const page = '/platform/login'
    const subject = { kind: 'login', identifier: user.login }
    const { to: step } = await post(browser, page, { form: 'identify', username: user.login })
    const { to } = await post(browser, step, { form: 'password', ...subject, password })
    return { user, browser, to, subject }
  }

  test('is set by forms alone, and signs in', async () => {
    const { user, browser, to } = await entering()
    expect(to).toMatch(/^\/platform\/login\/password\/[0-9a-f-]{36}$/)
    const same = await post(browser, to, { form: 'enter', ...both(password) })
    expect(same.outcome?.data.errorList).toMatchObject([{ field: 'password', code: 'errorPasswordSame' }])
    const done = await post(browser, to, { form: 'enter', ...both(newPassword) })
    expect(done).toMatchObject({ to: '/platform/profile', outcome: null })
    expect(await sessionsOf(user.id)).toBe(1)
    // the page of a used link
    expect(await post(browser, to, { form: 'enter', ...both(newPassword) })).toMatchObject({ to, outcome: null })
  })

  test('after the agreements of the domain', async () => {
    const agreement = await createAgreement()
    const { user, browser, to, subject } = await entering(await createDomain({ agreement }))
    expect(to).toBe('/platform/login?step=terms')
    const document = `${agreement} 1`
    const fields = { form: 'terms', flow: 'credentials', ...subject, document }
    const missing = { to, outcome: { data: { errorList: [{ field: `terms-${agreement}`, code: 'errorTerms' }] } } }
    expect(await post(browser, to, fields)).toMatchObject(missing)
    // the agreement changed while the page was open
    await publishVersion(agreement, 2)
    expect(await post(browser, to, { ...fields, agreed: document })).toMatchObject(missing)
    const changed = `${agreement} 2`
    const { to: page } = await post(browser, to, { ...fields, document: changed, agreed: changed })
    expect(page).toMatch(/^\/platform\/login\/password\//)
    expect(await post(browser, page, { form: 'enter', ...both(newPassword) })).toMatchObject({
      to: '/platform/profile',
    })
    expect(await agreedBy(user.id)).toBe(1)
  })

  test('in another browser it is saved and said so, and nobody is signed in', async () => {
    const { user, to } = await entering()
    const other = new Browser()
    const saved = await post(other, to, { form: 'enter', ...both(newPassword) })
    expect(saved).toMatchObject({ to: `${to}?step=saved`, outcome: null })
    expect(await signedInStatus(other)).toBe(401)
    expect((await signInByPassword(other, user.login, newPassword)).status).toBe(200)
  })
})

describe('agreements of somebody who is signed in', () => {
  const page = '/platform/agreements'
  async function asked() {
    const agreement = await createAgreement()
    const browser = new Browser(await createDomain({ agreement }))
    const user = await createUser()
    await startSessionOf(browser, user.id)
    return { agreement, browser, user }
  }

  test('are accepted in the version that was read, and lead to the page that the person wanted', async () => {
    const { agreement, browser, user } = await asked()
    const address = `${page}?path=${encodeURIComponent('/platform/profile/sessions?tab=1')}`
    const [first, second] = [`${agreement} 1`, `${agreement} 2`]
    const missing = {
      to: address,
      outcome: { data: { errorList: [{ field: `terms-${agreement}`, code: 'errorTerms' }] } },
    }
    expect(await post(browser, address, { form: 'accept', document: first })).toMatchObject(missing)
    await publishVersion(agreement, 2)
    expect(await post(browser, address, { form: 'accept', document: first, agreed: first })).toMatchObject(missing)
    expect(await post(browser, address, { form: 'accept' })).toMatchObject(missing)
    expect(await agreedBy(user.id)).toBe(0)
    const done = await post(browser, address, { form: 'accept', document: second, agreed: second })
    expect(done).toMatchObject({ to: '/platform/profile/sessions?tab=1', outcome: null })
    expect(await agreedBy(user.id)).toBe(1)
  })

  test('lead to no other site and not to themselves', async () => {
    for (const path of ['https://evil.example', '//evil.example', '/\\evil.example', `${page}?path=/x`, '']) {
      const { agreement, browser } = await asked()
      const document = `${agreement} 1`
      const address = `${page}?path=${encodeURIComponent(path)}`
      expect((await post(browser, address, { form: 'accept', document, agreed: document })).to, path).toBe('/platform')
    }
  })

  test('who was signed out meanwhile has accepted nothing, and the page leads to the sign-in', async () => {
    const { agreement, browser, user } = await asked()
    browser.cookies.delete('platform-session')
    const document = `${agreement} 1`
    const answer = await post(browser, page, { form: 'accept', document, agreed: document })
    expect(answer).toMatchObject({ to: page, outcome: { status: 401 } })
    expect(await agreedBy(user.id)).toBe(0)
  })

  test('who doesn’t accept signs out, once for thirty clicks', async () => {
    const { browser, user } = await asked()
    const token = openPage(browser)
    const fields = { form: 'signOut', back: page, to: '/platform/login' }
    const answers = await thirty(() => post(browser, '/platform/sign-out', fields, { token }))
    // a click after the answer finds the token used, and leads back to the page, which asks to sign in
    const leads = new Set(answers.map(({ to }) => to))
    expect(leads.delete('/platform/login')).toBe(true)
    expect([[], [page]]).toContainEqual([...leads])
    expect(await sessionsOf(user.id)).toBe(0)
  })
})

describe('the report of a stranger’s sign-in', () => {
  async function robbed(wishes: Parameters<typeof createUser>[0] = {}) {
    const user = await createUser(wishes)
    await signInByPassword(new Browser(), user.login, password)
    const thief = new Browser()
    await signInByPassword(thief, user.login, password)
    const [mail] = await mailsTo(user.id, 'newDevice')
    const [address = ''] = /\/platform\/login\/device\/[0-9a-f-]{36}/.exec(mail?.text ?? '') ?? []
    return { user, thief, address }
  }

  test('ends it and leads to a new password; thirty clicks report once', async () => {
    const { thief, address } = await robbed()
    const browser = new Browser()
    const token = openPage(browser)
    const answers = await thirty(() => post(browser, address, { form: 'report' }, { token }))
    const [to = '', ...others] = new Set(answers.map((answer) => answer.to))
    expect([to, others]).toEqual([expect.stringMatching(/^\/platform\/new-password\//), []])
    expect(await signedInStatus(thief)).toBe(401)
    const { id } = linkIn(`https://x.example${to}`)
    expect(
      await post(browser, `/platform/new-password/${id}`, { form: 'recover', ...both(newPassword) }),
    ).toMatchObject({
      to: '/platform/profile',
    })
    // a tab that is still open finds the link used
    expect(await post(browser, address, { form: 'report' })).toMatchObject({ to: address, outcome: null })
  })

  test('if a new password was set since, the page says that the session has ended', async () => {
    const { user, thief, address } = await robbed()
    const later = new Date(Date.now() + 60_000)
    await db().update(users).set({ passwordChangedAt: later }).where(eq(users.id, user.id))
    expect(await post(new Browser(), address, { form: 'report' })).toMatchObject({ to: `${address}?step=done` })
    expect(await signedInStatus(thief)).toBe(401)
  })
})
