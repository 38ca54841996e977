import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { authenticatorApps, history, recoveryCodes, sessions, signInLog } from '@/db/schema'
import { readOwnFactors } from '@/lib/my-account/factors/contract'
import { confirmAuthenticatorApp } from '@/lib/my-account/factors/service'
import { authCode } from '@/lib/sign-in/attempts/contract'
import { signInStep } from '@/lib/sign-in/attempts/service'
import { offerTo } from '@/lib/sign-in/attempts/sign-in-preview'
import { thirty } from '../../factories/at-once'
import { confirmApp, giveApp, removeApp, renewCodes, startApp, startAppByCode } from '../../factories/authenticator'
import { Browser } from '../../factories/browser'
import { createAgreement, createDomain } from '../../factories/domains'
import { contextOf } from '../../factories/invitations'
import { lastCodeTo, runJobs } from '../../factories/messages'
import { mailsTo, recoveryLink, setByLink } from '../../factories/recovery'
import { newPassword } from '../../factories/registration'
import { handlerOf } from '../../factories/routes'
import { begin, prove, signedInStatus, signInByPassword, startSessionOf } from '../../factories/sign-in'
import { codeOf } from '../../factories/totp'
import { createRole, createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const read = handlerOf(readOwnFactors)
const requestCode = handlerOf(authCode)

let appRole: string
let eitherRole: string
beforeAll(async () => {
  appRole = await createRole({ firstFactor: ['credentials'], secondFactor: ['totp'] })
  eitherRole = await createRole({ firstFactor: ['credentials'], secondFactor: ['email_code', 'totp'] })
})

/** Somebody who has an authenticator app and is signed in by password. */
async function personWithApp(role: string) {
  const user = await createUser({ roles: [role] })
  const browser = new Browser()
  await startSessionOf(browser, user.id)
  return { user, browser, ...(await giveApp(user.id)) }
}

/** Proves the password in a new browser. Returns it with the answer. */
async function afterPassword(login: string) {
  const browser = new Browser()
  const answer = await signInByPassword(browser, login, password)
  return { browser, answer }
}

/** Asks for the code of the flow `email_code`, and proves it. */
async function proveEmail(browser: Browser, login: string, email: string | null) {
  const body = { flow: 'email_code', login }
  await browser.send(requestCode, 'POST', { params: { idAttribute: 'login' }, body })
  await runJobs()
  return prove(browser, login, { flow: 'email_code', code: await lastCodeTo(email ?? '') })
}

const proveApp = (browser: Browser, login: string, body: { code?: string; recoveryCode?: string }) =>
  prove(browser, login, { flow: 'totp', ...body })

const wrong = (field: string) => ({
  status: 400,
  body: { code: 'errorCode', data: { errorList: [{ field, code: 'errorCode' }] } },
})

const longAgo = { createdAt: new Date(Date.now() - 16 * 60_000) }
const fault = (field: string, code: string) => ({ status: 400, body: { data: { errorList: [{ field, code }] } } })

describe('in the profile', () => {
  test('an app is stored with its first right code; ten recovery codes, a mail and the history follow', async () => {
    const user = await createUser()
    const browser = new Browser()
    await startSessionOf(browser, user.id)
    expect((await browser.send(read, 'GET')).body).toEqual({ authenticatorApp: null, needs: ['code'] })
    const { body } = await startAppByCode(browser, user.email)
    const key = String(body.key)
    expect(key).toMatch(/^[A-Z2-7]{32}$/)
    expect(await confirmApp(browser, { proof: body.proof, code: '000000' })).toMatchObject(fault('code', 'errorCode'))
    expect(await db().select().from(authenticatorApps).where(eq(authenticatorApps.userId, user.id))).toEqual([])
    const code = codeOf(key)
    const { status, body: answer } = await confirmApp(browser, {
      proof: body.proof,
      code: `${code.slice(0, 3)} ${code.slice(3)}`,
    })
    expect({ status, codes: (answer.recoveryCodes as string[]).length }).toEqual({ status: 200, codes: 10 })
    expect((await browser.send(read, 'GET')).body).toMatchObject({ authenticatorApp: { recoveryCodes: 10 }, needs: [] })
    const [app] = await db().select().from(authenticatorApps).where(eq(authenticatorApps.userId, user.id))
    expect(app?.secret).not.toContain(key)
    expect(await mailsTo(user.id, 'factorAdded')).toHaveLength(1)
    const rows = await db().select().from(history).where(eq(history.entityId, user.id))
    expect(rows.filter(({ field }) => field === 'authenticatorApp')).toMatchObject([{ changerId: user.id }])
    expect(JSON.stringify(rows)).not.toContain((answer.recoveryCodes as string[])[0])
    expect(await startApp(browser)).toMatchObject({ status: 409, body: { code: 'authenticatorKnown' } })
  })

  test('a key works in its own session only, once, and for 15 minutes', async () => {
    const user = await createUser()
    const [own, other] = [new Browser(), new Browser()]
    for (const browser of [own, other]) await startSessionOf(browser, user.id)
    const { body } = await startAppByCode(own, user.email)
    const code = codeOf(String(body.key))
    const stale = { status: 409, body: { code: 'authenticatorStale' } }
    expect(await confirmApp(other, { proof: body.proof, code })).toMatchObject(stale)
    for (const proof of ['made up', `9${body.proof}`])
      expect(await confirmApp(own, { proof, code })).toMatchObject(stale)
    const ctx = await contextOf(own)
    const late = { ...ctx, now: () => new Date(Date.now() + 15 * 60_000 + 1000) }
    const input = { body: { proof: String(body.proof), code: codeOf(String(body.key), 30) } }
    await expect(confirmAuthenticatorApp(late, input)).rejects.toMatchObject({ code: 'authenticatorStale' })
    const answers = await thirty(() => confirmApp(own, { proof: body.proof, code }))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body: refused } of answers)
      if (status !== 200) expect(refused).toMatchObject({ code: 'authenticatorKnown' })
    expect(await mailsTo(user.id, 'factorAdded')).toHaveLength(1)
  })

  // what a fresh session has proven counts, an old one counts for nothing
  test.each<[string, { proven: string[]; isOld?: boolean; without?: object }, string[] | null]>([
    ['the password in a fresh session: the code', { proven: ['credentials'] }, ['code']],
    ['the e-mail in a fresh session: the password', { proven: ['email_code'] }, ['password']],
    ['both in a fresh session: nothing', { proven: ['credentials', 'email_code'] }, []],
    ['an old session: both', { proven: ['credentials', 'email_code'], isOld: true }, ['password', 'code']],
    ['no password: the code', { proven: [], isOld: true, without: { passwordHash: null, mobile: null } }, ['code']],
    [
      'no password, and two contacts of which the session has proven none: sign in again',
      { proven: [], isOld: true, without: { passwordHash: null, mobile: '+79110000001' } },
      null,
    ],
  ])('setting up asks after %s', async (_, { proven, isOld, without = { mobile: null } }, needs) => {
    const user = await createUser({ ...without })
    const browser = new Browser()
    await startSessionOf(browser, user.id, proven)
    if (isOld) await db().update(sessions).set(longAgo).where(eq(sessions.userId, user.id))
    expect((await browser.send(read, 'GET')).body).toEqual({ authenticatorApp: null, needs })
    const answer = await startApp(browser)
    if (!needs) return expect(answer).toMatchObject({ status: 403, body: { code: 'signInAgain' } })
    if (needs.length === 0) return expect(answer.status).toBe(200)
    const codes = { password: 'errorPasswordNeeded', code: 'errorCodeNeeded' }
    const errorList = needs.map((field) => ({ field, code: codes[field as keyof typeof codes] }))
    expect(answer).toMatchObject({ status: 400, body: { data: { errorList } } })
    const wrongProofs = { password: 'wrong', code: '00000000' }
    expect((await startApp(browser, wrongProofs)).status).toBe(400)
  })

  test('a change needs a code of the app or a recovery code, and in an old session the password too', async () => {
    const { user, browser, key, recoveryCodes: codes } = await personWithApp('user')
    for (const change of [renewCodes, removeApp]) {
      expect(await change(browser, { code: '' })).toMatchObject(fault('code', 'errorEmpty'))
      expect(await change(browser, { code: '000000' })).toMatchObject(fault('code', 'errorCode'))
      expect(await change(browser, { code: 'aaaaa-bbbbb' })).toMatchObject(fault('code', 'errorCode'))
    }
    expect(await renewCodes(browser, { code: codeOf(key) })).toMatchObject({ status: 200 })
    // the same code again, and a recovery code from before
    for (const code of [codeOf(key), String(codes[0])])
      expect(await removeApp(browser, { code })).toMatchObject(fault('code', 'errorCode'))
    await db().update(sessions).set(longAgo).where(eq(sessions.userId, user.id))
    const code = codeOf(key, 1)
    expect(await removeApp(browser, { code })).toMatchObject(fault('password', 'errorPasswordNeeded'))
    expect(await removeApp(browser, { code, password: 'wrong' })).toMatchObject(fault('password', 'errorActual'))
    expect(await removeApp(browser, { code, password })).toMatchObject({ status: 200 })
  })

  test('removing the app removes its recovery codes, and mails the owner', async () => {
    const { user, browser, key } = await personWithApp('user')
    expect((await removeApp(browser, { code: codeOf(key) })).status).toBe(200)
    expect((await browser.send(read, 'GET')).body).toMatchObject({ authenticatorApp: null })
    expect(await db().select().from(recoveryCodes).where(eq(recoveryCodes.userId, user.id))).toEqual([])
    expect(await mailsTo(user.id, 'factorRemoved')).toHaveLength(1)
    for (const change of [renewCodes, removeApp])
      expect(await change(browser, { code: '123456' })).toMatchObject({ status: 404, body: { code: 'notFound' } })
  })

  test('new recovery codes replace the old ones, also of thirty requests at once', async () => {
    const { user, browser, recoveryCodes: codes } = await personWithApp(appRole)
    const answers = await Promise.all(codes.map((code) => renewCodes(browser, { code })))
    const given = answers.flatMap(({ body }) => (body.recoveryCodes as string[] | undefined) ?? [])
    expect(given.length).toBeGreaterThan(0)
    expect(await db().$count(recoveryCodes, eq(recoveryCodes.userId, user.id))).toBe(10)
    expect((await mailsTo(user.id, 'recoveryCodesRenewed')).length).toBe(given.length / 10)
    const { browser: visitor } = await afterPassword(user.login)
    const works = []
    for (const code of given.slice(-10))
      works.push((await proveApp(visitor, user.login, { recoveryCode: code })).status)
    expect(works.filter((status) => status === 200).length).toBeLessThanOrEqual(1)
  })
})

describe('at sign-in', () => {
  test('the code of the app is the second factor', async () => {
    const { user, key } = await personWithApp(appRole)
    const { browser, answer } = await afterPassword(user.login)
    expect(answer.body).toEqual({ next: 'second_factor', flows: ['totp'] })
    expect(await proveApp(browser, user.login, { code: '' })).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'code', code: 'errorEmpty' }] } },
    })
    expect(await proveApp(browser, user.login, { code: codeOf(key, 5) })).toMatchObject(wrong('code'))
    expect(await proveApp(browser, user.login, { code: codeOf(key) })).toMatchObject({ body: { next: 'done' } })
    expect(await signedInStatus(browser)).toBe(200)
    const rows = await db().select().from(signInLog).where(eq(signInLog.userId, user.id))
    expect(rows.map(({ flows, cause }) => ({ flows, cause }))).toEqual(
      expect.arrayContaining([
        { flows: ['credentials', 'totp'], cause: null },
        { flows: ['totp'], cause: 'wrongCode' },
      ]),
    )
  })

  test('no code of it is sent', async () => {
    const { user } = await personWithApp(appRole)
    const { browser } = await afterPassword(user.login)
    const body = { flow: 'totp', login: user.login }
    const answer = await browser.send(requestCode, 'POST', { params: { idAttribute: 'login' }, body })
    expect(answer.status).toBe(400)
  })

  test('of thirty who send the same code at once, one signs in; later nobody does', async () => {
    const { user, key } = await personWithApp(appRole)
    const visitors = await thirty(async () => (await afterPassword(user.login)).browser)
    const late = (await afterPassword(user.login)).browser
    const code = codeOf(key)
    const answers = await Promise.all(visitors.map((browser) => proveApp(browser, user.login, { code })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await proveApp(late, user.login, { code })).toMatchObject(wrong('code'))
  })

  test('after a code of the next step, those before it are refused', async () => {
    const { user, key } = await personWithApp(appRole)
    const [first, second] = [await afterPassword(user.login), await afterPassword(user.login)]
    expect(await proveApp(first.browser, user.login, { code: codeOf(key, 1) })).toMatchObject({ status: 200 })
    expect(await proveApp(second.browser, user.login, { code: codeOf(key) })).toMatchObject(wrong('code'))
  })

  test('a recovery code replaces it once, however it is typed; the owner is told', async () => {
    const {
      user,
      recoveryCodes: [code = '', other = ''],
    } = await personWithApp(appRole)
    const visitors = await thirty(async () => (await afterPassword(user.login)).browser)
    const typed = ` ${code.toUpperCase().replace('-', ' ')}`
    const answers = await Promise.all(visitors.map((each) => proveApp(each, user.login, { recoveryCode: typed })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await mailsTo(user.id, 'recoveryCodeUsed')).toHaveLength(1)
    const rows = await db().select().from(history).where(eq(history.entityId, user.id))
    expect(rows.find(({ field }) => field === 'recoveryCodesLeft')).toMatchObject({ previous: 10, current: 9 })
    const foreign = (await afterPassword((await personWithApp(appRole)).user.login)).browser
    expect((await proveApp(foreign, user.login, { recoveryCode: other })).status).toBe(400)
  })

  test('it is no first factor, for nobody', async () => {
    const { user, key, recoveryCodes: codes } = await personWithApp(appRole)
    const browser = new Browser()
    expect((await begin(browser, user.login)).body.flows).toEqual(['credentials'])
    for (const body of [{ code: codeOf(key) }, { recoveryCode: String(codes[0]) }])
      expect(await proveApp(browser, user.login, body)).toMatchObject(fault('flow', 'errorFlow'))
  })

  test('ten wrong codes suspend it for the day, also for the right one', async () => {
    const { user, key } = await personWithApp(appRole)
    const { browser } = await afterPassword(user.login)
    for (let n = 0; n < 10; n++)
      expect(await proveApp(browser, user.login, { code: codeOf(key, 10 + n) })).toMatchObject(wrong('code'))
    expect(await proveApp(browser, user.login, { code: codeOf(key) })).toMatchObject(wrong('code'))
  })
})

describe('a person without an app', () => {
  /** Returns the key of the app that the page of this browser offers to set up. */
  const keyIn = async (browser: Browser) => {
    const step = await signInStep(await contextOf(browser))
    return step && 'newApp' in step ? step.newApp?.key : undefined
  }

  /** Proves the password and the code to the e-mail in a new browser: what setting up asks for. */
  const afterBoth = async ({ login, email }: { login: string; email: string | null }) => {
    const { browser, answer } = await afterPassword(login)
    expect(answer.body).toEqual({ next: 'second_factor', flows: ['email_code'] })
    expect(await keyIn(browser)).toBeUndefined()
    return { browser, answer: await proveEmail(browser, login, email) }
  }

  test('sets one up after the password and a code to the e-mail, if nothing else can be the second factor', async () => {
    const user = await createUser({ roles: [appRole], mobile: null })
    const { browser, answer } = await afterBoth(user)
    expect(answer.body).toEqual({ next: 'second_factor', flows: ['totp'] })
    const key = String(await keyIn(browser))
    expect(await proveApp(browser, user.login, { code: '000000' })).toMatchObject(wrong('code'))
    expect(await proveApp(browser, user.login, { recoveryCode: 'aaaaa-bbbbb' })).toMatchObject(wrong('recoveryCode'))
    expect(await keyIn(browser)).toBe(key)
    expect(await proveApp(browser, user.login, { code: codeOf(key) })).toMatchObject({ body: { next: 'done' } })
    expect(await mailsTo(user.id, 'factorAdded')).toHaveLength(1)
    const next = await afterPassword(user.login)
    expect(next.answer.body).toEqual({ next: 'second_factor', flows: ['totp'] })
    expect(await keyIn(next.browser)).toBeUndefined()
    expect(await proveApp(next.browser, user.login, { code: codeOf(key, 1) })).toMatchObject({ body: { next: 'done' } })
  })

  test('keeps the key of an attempt that they begin again', async () => {
    const user = await createUser({ roles: [appRole], email: null, mobile: null })
    const { browser } = await afterPassword(user.login)
    const key = await keyIn(browser)
    expect(key).toBeTruthy()
    await signInByPassword(browser, user.login, password)
    expect(await keyIn(browser)).toBe(key)
  })

  test('has none while the sign-in waits for the terms; it is stored with the session', async () => {
    const host = `${await createDomain({ agreement: await createAgreement() })}:3000`
    const user = await createUser({ roles: [appRole], email: null, mobile: null })
    const browser = new Browser(host)
    await signInByPassword(browser, user.login, password)
    const key = String(await keyIn(browser))
    const stopped = await proveApp(browser, user.login, { code: codeOf(key) })
    expect(stopped).toMatchObject({ status: 403, body: { code: 'termsRequired' } })
    expect(await db().$count(authenticatorApps, eq(authenticatorApps.userId, user.id))).toBe(0)
    const { termsRequired } = stopped.body.data as { termsRequired: { id: string; version: number }[] }
    const termsAgree = termsRequired.map(({ id: type, version }) => ({ type, version, agree: true }))
    expect(await prove(browser, user.login, { flow: 'totp', termsAgree })).toMatchObject({ body: { next: 'done' } })
    const [app] = await db().select().from(authenticatorApps).where(eq(authenticatorApps.userId, user.id))
    const [session] = await db().select().from(sessions).where(eq(sessions.userId, user.id))
    expect(app?.sessionId).toBe(session?.id)
  })

  test('isn’t stuck, as the preview for administrators says', async () => {
    const [without, either] = [
      await createUser({ roles: [appRole], mobile: null }),
      await createUser({ roles: [eitherRole], mobile: null }),
    ]
    const second = (flows: string[]) => [{ after: 'credentials', flows }]
    expect(await offerTo(without.id)).toMatchObject({ stuck: false, second: second(['email_code']) })
    expect(await offerTo(either.id)).toMatchObject({ stuck: false, second: second(['email_code']) })
  })

  test('is never offered that in place of another second factor', async () => {
    const user = await createUser({ roles: [eitherRole] })
    const { browser, answer } = await afterPassword(user.login)
    expect(answer.body).toEqual({ next: 'second_factor', flows: ['email_code'] })
    expect(await keyIn(browser)).toBeUndefined()
    expect((await proveApp(browser, user.login, { code: '000000' })).status).toBe(400)
    expect(await proveEmail(browser, user.login, user.email)).toMatchObject({ status: 200 })
  })

  test('never opens setting up by a mailbox that is in both factors', async () => {
    const role = await createRole({ firstFactor: ['credentials', 'email_code'], secondFactor: ['email_code', 'totp'] })
    const user = await createUser({ roles: [role], mobile: null })
    const browser = new Browser()
    await begin(browser, user.login)
    expect(await proveEmail(browser, user.login, user.email)).toMatchObject({ status: 400, body: { code: 'noFlows' } })
  })

  test('two who set one up at once: the first has it, the other begins again', async () => {
    const user = await createUser({ roles: [appRole], email: null, mobile: null })
    const [first, second] = [await afterPassword(user.login), await afterPassword(user.login)]
    const [firstKey, secondKey] = [String(await keyIn(first.browser)), String(await keyIn(second.browser))]
    expect(firstKey).not.toBe(secondKey)
    const answers = await Promise.all([
      proveApp(first.browser, user.login, { code: codeOf(firstKey) }),
      proveApp(second.browser, user.login, { code: codeOf(secondKey) }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const [kept, refused] = answers[0].status === 200 ? [firstKey, second] : [secondKey, first]
    expect(await db().$count(sessions, eq(sessions.userId, user.id))).toBe(1)
    const again = await afterPassword(user.login)
    expect(await keyIn(again.browser)).toBeUndefined()
    expect(await keyIn(refused.browser)).toBeUndefined()
    expect(await proveApp(again.browser, user.login, { code: codeOf(kept, 1) })).toMatchObject({ status: 200 })
  })
})

describe('an account that somebody else prepared', () => {
  const prepared = async () => {
    const actor = await createUser()
    return createUser({ roles: [appRole], preparedBy: actor.id, preparedSince: new Date(Date.now() - 60_000) })
  }

  test('loses the app of the preparer when its person proves the e-mail', async () => {
    const user = await prepared()
    const { key } = await giveApp(user.id)
    const browser = new Browser()
    const link = await recoveryLink(browser, user as { id: string; email: string })
    expect((await setByLink(browser, link, newPassword)).status).toBe(200)
    expect(await mailsTo(user.id, 'factorRemoved')).toHaveLength(1)
    const visitor = new Browser()
    await signInByPassword(visitor, user.login, newPassword)
    expect((await proveApp(visitor, user.login, { code: codeOf(key) })).status).toBe(400)
  })
})
