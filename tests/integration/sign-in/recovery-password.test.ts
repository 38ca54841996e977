import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, passwordHistory, sessions, users } from '@/db/schema'
import { outsideTransaction } from '@/db/scope'
import { signInStep } from '@/lib/sign-in/attempts/service'
import { createLink } from '@/lib/sign-in/email-links/service'
import { setEntryPassword } from '@/lib/sign-in/passwords/contract'
import { Browser } from '../../factories/browser'
import { askedBy, codeUser, enter } from '../../factories/codes'
import { createContext } from '../../factories/context'
import { createAgreement, createDomain } from '../../factories/domains'
import { contextOf } from '../../factories/invitations'
import { linkStatus, mailsTo, recoveryLink, setByLink } from '../../factories/recovery'
import { handlerOf } from '../../factories/routes'
import { setSetting } from '../../factories/settings'
import { begin, prove, signedInStatus, signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const putEntry = handlerOf(setEntryPassword)

useTestDatabase()

const fresh = 'Another-horse-8'
const faultsOf = ({ body }: { body: Record<string, unknown> }) =>
  (body.data as { errorList?: { field: string; code: string }[] }).errorList

describe('the new password', () => {
  test('ends every session, lifts the limit on wrong passwords, is reported by one mail, and signs its owner in (docs/quality.md#s7)', async () => {
    const user = await createUser({ passwordChangeRequired: true })
    await db().update(users).set({ passwordChangeRequired: false }).where(eq(users.id, user.id))
    const [home, work] = [new Browser(), new Browser()]
    for (const browser of [home, work]) await signInByPassword(browser, user.login, password)
    await db().update(users).set({ passwordChangeRequired: true }).where(eq(users.id, user.id))
    const browser = new Browser()
    const statuses = []
    for (let n = 0; n < 5; n++) statuses.push((await signInByPassword(browser, user.login, 'wrong')).status)
    expect(statuses.at(-1)).toBe(429)

    const id = await recoveryLink(browser, user)
    expect(await setByLink(browser, id, fresh)).toMatchObject({
      status: 200,
      body: { next: 'done', redirect: '/platform/profile' },
    })
    for (const each of [home, work]) expect(await signedInStatus(each)).toBe(401)
    expect(await signedInStatus(browser)).toBe(200)
    const rows = await db().select().from(sessions).where(eq(sessions.userId, user.id))
    expect(rows.map(({ endReason }) => endReason).toSorted()).toEqual([null, 'passwordChanged', 'passwordChanged'])
    expect(await mailsTo(user.id, 'passwordChanged')).toMatchObject([{ recipient: user.email, status: 'sent' }])
    const passwordChanges = (await db().select().from(history).where(eq(history.entityId, user.id))).filter(
      ({ field }) => field === 'password',
    )
    expect(passwordChanges).toMatchObject([
      { type: 'update', previous: '***', current: '***', changerId: user.id, ip: browser.ip },
    ])
    expect((await signInByPassword(browser, user.login, fresh)).body).toMatchObject({ next: 'done' })
    expect((await signInByPassword(new Browser(), user.login, password)).status).toBe(400)
  })

  test('ends sign-ins that have proven the old password and aren’t finished', async () => {
    const agreement = await createAgreement()
    const host = await createDomain({ agreement })
    const user = await createUser()
    const thief = new Browser(host)
    expect((await signInByPassword(thief, user.login, password)).body.code).toBe('termsRequired')
    const owner = new Browser()
    await begin(owner, user.login)
    await setByLink(owner, await recoveryLink(owner, user), fresh)
    const termsAgree = [{ type: agreement, agree: true, version: 1 }]
    expect((await prove(thief, user.login, { termsAgree })).body).toMatchObject({ data: { expired: true } })
    expect(await signedInStatus(thief)).toBe(401)
    // the owner's own attempt is over: the new password has signed them in
    expect(await signedInStatus(owner)).toBe(200)
    expect((await prove(owner, user.login, { password: fresh })).body).toMatchObject({ data: { expired: true } })
  })

  test('ends such a sign-in also in the browser in which it is set: a colleague may have left it there', async () => {
    const agreement = await createAgreement()
    const shared = new Browser(await createDomain({ agreement }))
    const user = await createUser()
    expect((await signInByPassword(shared, user.login, password)).body.code).toBe('termsRequired')
    const termsAgree = [{ type: agreement, agree: true, version: 1 }]
    expect((await setByLink(shared, await recoveryLink(shared, user), fresh, { termsAgree })).status).toBe(200)
    expect((await prove(shared, user.login, { termsAgree })).body).toMatchObject({ data: { expired: true } })
    // whoever set the password is signed in by it, and not by what was left
    expect(await signedInStatus(shared)).toBe(200)
  })

  test('ends such a sign-in also where the new password signs nobody in, so that nothing takes its place', async () => {
    const agreement = await createAgreement()
    const shared = new Browser(await createDomain({ agreement }))
    const user = await codeUser(['email_code'])
    expect((await enter(shared, user.login, await askedBy(shared, user))).body.code).toBe('termsRequired')
    const termsAgree = [{ type: agreement, agree: true, version: 1 }]
    const { body } = await setByLink(shared, await recoveryLink(shared, user), fresh, { termsAgree })
    expect(body).toMatchObject({ redirect: '/platform/login' })
    const answer = await prove(shared, user.login, { flow: 'email_code', termsAgree })
    expect(answer.body).toMatchObject({ data: { expired: true } })
    expect(await signedInStatus(shared)).toBe(401)
  })

  test('of 50 parallel tries with one link wins once, the others get 409; one mail (docs/quality.md#r10, docs/quality.md#r11)', async () => {
    const user = await createUser()
    const id = await recoveryLink(new Browser(), user)
    const passwords = Array.from({ length: 50 }, (_, n) => `Parallel-horse-${n}x`)
    const answers = await Promise.all(passwords.map((each) => setByLink(new Browser(), id, each)))
    const won = answers.flatMap(({ status }, n) => (status === 200 ? [n] : []))
    expect(won).toHaveLength(1)
    for (const [n, { status, body }] of answers.entries())
      if (n !== won[0]) expect([`409 conflict`, '400 linkUsed']).toContain(`${status} ${body.code}`)
    expect(answers.some(({ status }) => status === 409)).toBe(true)
    // only who has set it is signed in
    expect(await db().$count(sessions, eq(sessions.userId, user.id))).toBe(1)
    expect(await mailsTo(user.id, 'passwordChanged')).toHaveLength(1)
    expect((await signInByPassword(new Browser(), user.login, passwords[won[0] ?? 0] ?? '')).status).toBe(200)
  })

  test('must satisfy the rules and be repeated correctly, and not be leaked, personal or recent; the link stays valid (docs/quality.md#s6)', async () => {
    const user = await createUser({ lastName: 'Звягинцева', login: 'zvyagintseva.anna' })
    const browser = new Browser()
    const id = await recoveryLink(browser, user)
    const faults = async (value: string, repeatPassword = value) =>
      faultsOf(await setByLink(browser, id, value, { repeatPassword }))
    const only = (code: string) => [{ field: 'password', code }]
    expect(await faults('')).toContainEqual({ field: 'password', code: 'errorEmpty' })
    expect(await faults('Short-1')).toEqual(only('errorPasswordRules'))
    expect(await faults('nouppercase-1')).toEqual(only('errorPasswordRules'))
    for (const leaked of ['Password-1', 'P@ssw0rd2026!', 'Qwerty-12345', 'Пароль-2026'])
      expect(await faults(leaked), leaked).toEqual(only('errorPasswordBreached'))
    for (const personalPassword of ['Звягинцева-26', 'Zvyagintseva-1', `${user.email}A1!`, 'zvyagintseva.Anna-9'])
      expect(await faults(personalPassword), personalPassword).toEqual(only('errorPasswordPersonal'))
    expect(await faults(password)).toEqual(only('errorPasswordRecent'))
    expect(await faults('Bell\u0007-horse-7')).toEqual(only('errorChars'))
    expect(await faults(`Aa1-${'x'.repeat(4092)}`)).toContainEqual({ field: 'password', code: 'errorTooLong' })
    expect(await faults(fresh, `${fresh}x`)).toEqual([
      { field: 'password', code: 'errorMatch' },
      { field: 'repeatPassword', code: 'errorMatch' },
    ])
    expect((await linkStatus(browser, id)).status).toBe(200)
  })

  test('of 64 characters of any script, including spaces, is used in full', async () => {
    const user = await createUser()
    const long = `Пароль, 64 знака! 🦊 🦊 ${'ёж и лиса '.repeat(5)}`.slice(0, 66)
    expect([...long]).toHaveLength(64)
    expect((await setByLink(new Browser(), await recoveryLink(new Browser(), user), long)).status).toBe(200)
    expect((await signInByPassword(new Browser(), user.login, long)).status).toBe(200)
    expect((await signInByPassword(new Browser(), user.login, long.slice(0, -1))).status).toBe(400)
    expect((await signInByPassword(new Browser(), user.login, long.normalize('NFD'))).status).toBe(200)
  })

  test('can’t be a recent one as far back as the setting says, and can with 0', async () => {
    await setSetting('passwordHistory', 2)
    const user = await createUser()
    const browser = new Browser()
    await setSetting('passwordRefreshAttempts', 50)
    const set = async (value: string) => {
      const answer = await setByLink(browser, await recoveryLink(browser, user), value)
      return answer.status === 200 ? 'set' : faultsOf(answer)?.[0]?.code
    }
    expect(await set('First-horse-1x')).toBe('set')
    expect(await set(password)).toBe('errorPasswordRecent')
    expect(await set('First-horse-1x')).toBe('errorPasswordRecent')
    expect(await set('Second-horse-2x')).toBe('set')
    expect(await set(password)).toBe('set')
    await setSetting('passwordHistory', 0)
    expect(await set(password)).toBe('set')
    await setSetting('passwordHistory', 24)
    const storedHashes = () => db().select().from(passwordHistory).where(eq(passwordHistory.userId, user.id))
    await db()
      .insert(passwordHistory)
      .values(Array.from({ length: 30 }, (_, n) => ({ userId: user.id, passwordHash: `${n}`, createdAt: new Date(n) })))
    await setSetting('passwordHistory', 5)
    expect(await set('Fourth-horse-4x')).toBe('set')
    expect(await storedHashes()).toHaveLength(24)
    await setSetting('passwordRefreshAttempts', 5)
  })
})

describe('signing in by the new password', () => {
  const setBy = async (browser: Browser, user: Parameters<typeof recoveryLink>[1]) =>
    setByLink(browser, await recoveryLink(browser, user), fresh)
  const sessionsOf = (userId: string) => db().$count(sessions, eq(sessions.userId, userId))

  test('leaves a second factor to be proven, which the sign-in page asks for', async () => {
    const user = await codeUser(['credentials'], ['sms_code'])
    const browser = new Browser()
    expect((await setBy(browser, user)).body).toEqual({ next: 'done', redirect: '/platform/login' })
    expect([await signedInStatus(browser), await sessionsOf(user.id)]).toEqual([401, 0])
    expect(await signInStep(await contextOf(browser))).toMatchObject({ step: 'sms_code', stage: 'second' })
    // neither the password again nor the mailbox is a way past it
    expect((await prove(browser, user.email, { password: fresh }, 'email')).status).toBe(400)
    expect((await prove(browser, user.email, { flow: 'email_code', code: '0000' }, 'email')).status).toBe(400)
    expect(await sessionsOf(user.id)).toBe(0)
  })

  test('isn’t done where a schema takes no password, nor where the person has nothing to sign in with', async () => {
    const codes = await codeUser(['email_code'])
    const browser = new Browser()
    expect((await setBy(browser, codes)).body).toMatchObject({ redirect: '/platform/login' })
    expect(await signedInStatus(browser)).toBe(401)
    expect(await signInStep(await contextOf(browser))).toBeNull()
    const others = ['identificationEmail', 'identificationLogin'] as const
    for (const id of others) await setSetting(id, false)
    const limited = new Browser()
    expect((await setBy(limited, await createUser({ mobile: null }))).body).toMatchObject({
      redirect: '/platform/login',
    })
    expect(await signedInStatus(limited)).toBe(401)
    for (const id of others) await setSetting(id, true)
  })

  test('goes on to where the sign-in in this browser was going, and not where somebody else’s was', async () => {
    const [user, other] = [await createUser(), await createUser()]
    const browser = new Browser()
    await begin(browser, user.login, 'login', { path: '/platform/profile/sessions' })
    expect((await setBy(browser, user)).body).toMatchObject({ redirect: '/platform/profile/sessions' })
    // a link that is opened where somebody else has proven their password doesn't take that over
    const agreement = await createAgreement()
    const shared = new Browser(await createDomain({ agreement }))
    await signInByPassword(shared, other.login, password)
    const termsAgree = [{ type: agreement, agree: true, version: 1 }]
    const link = await recoveryLink(new Browser(), await createUser())
    const answer = await setByLink(shared, link, fresh, { termsAgree })
    expect(answer.status).toBe(200)
    expect(await sessionsOf(other.id)).toBe(0)
  })
})

test('by a recovery link and a first-entry link at once: one sets the password, the other is used up', async () => {
  const ctx = await createContext()
  const user = await createUser()
  const receiver = { userId: user.id }
  const recovery = await createLink(db(), ctx, 'recovery', receiver, 600)
  const entry = await createLink(db(), ctx, 'entry', receiver, 600)
  const body = { password: fresh, repeatPassword: fresh }
  const waiting = async () =>
    (
      await db().execute(
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rows.length
  // both have begun before either continues
  const asked = await db().transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, user.id)).for('update')
    return outsideTransaction(async () => {
      const asked = Promise.all([
        setByLink(new Browser(), recovery, fresh),
        new Browser().send(putEntry, 'PUT', { params: { id: entry }, body }),
      ])
      await expect.poll(waiting, { timeout: 5000 }).toBe(2)
      return { asked }
    })
  })
  expect((await asked.asked).map(({ status }) => status).sort()).toEqual([200, 409])
})
