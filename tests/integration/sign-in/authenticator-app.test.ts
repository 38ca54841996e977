import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { authenticatorApps, history, recoveryCodes, sessions, signInLog, users } from '@/db/schema'
import { readOwnFactors, removeAuthenticatorApp, renewRecoveryCodes } from '@/lib/my-account/factors/contract'
import { authCode } from '@/lib/sign-in/attempts/contract'
import { signInStep } from '@/lib/sign-in/attempts/service'
import { offerTo } from '@/lib/sign-in/attempts/sign-in-preview'
import { thirty } from '../../factories/at-once'
import { confirmApp, setUpApp, startApp } from '../../factories/authenticator'
import { Browser } from '../../factories/browser'
import { contextOf } from '../../factories/invitations'
import { lastCodeTo, runJobs } from '../../factories/messages'
import { createProvider, mailsTo, recoveryLink, setByLink } from '../../factories/recovery'
import { newPassword } from '../../factories/registration'
import { handlerOf } from '../../factories/routes'
import { begin, prove, signedInStatus, signInByPassword, startSessionOf } from '../../factories/sign-in'
import { codeOf } from '../../factories/totp'
import { createRole, createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const read = handlerOf(readOwnFactors)
const remove = handlerOf(removeAuthenticatorApp)
const renew = handlerOf(renewRecoveryCodes)
const requestCode = handlerOf(authCode)

let appRole: string
let eitherRole: string
let firstRole: string
beforeAll(async () => {
  appRole = await createRole({ firstFactor: ['credentials'], secondFactor: ['totp'] })
  eitherRole = await createRole({ firstFactor: ['credentials'], secondFactor: ['email_code', 'totp'] })
  firstRole = await createRole({ firstFactor: ['totp', 'credentials'] })
})

async function personWithApp(role: string) {
  const user = await createUser({ roles: [role] })
  const browser = new Browser()
  await startSessionOf(browser, user.id)
  return { user, browser, ...(await setUpApp(browser)) }
}

/** Proves the password in a new browser. Returns it with the answer. */
async function afterPassword(login: string) {
  const browser = new Browser()
  const answer = await signInByPassword(browser, login, password)
  return { browser, answer }
}

const proveApp = (browser: Browser, login: string, body: { code?: string; recoveryCode?: string }) =>
  prove(browser, login, { flow: 'totp', ...body })

const wrong = (field: string) => ({
  status: 400,
  body: { code: 'errorCode', data: { errorList: [{ field, code: 'errorCode' }] } },
})

describe('as the first factor', () => {
  test('it answers alike for everybody', async () => {
    const { user, key } = await personWithApp(firstRole)
    const lacking = await createUser({ roles: [firstRole] })
    const answersFor = async (login: string) => {
      const browser = new Browser()
      const { flows } = (await begin(browser, login)).body
      const { status, body } = await proveApp(browser, login, { code: '000000' })
      const { requestId: _, ...said } = body
      return { flows, status, said }
    }
    const expected = await answersFor(user.login)
    expect(expected).toMatchObject({ flows: ['totp', 'credentials'], status: 400 })
    expect(await answersFor(lacking.login)).toEqual(expected)
    // an unknown person sees a schema that some people have: this one, for some of them
    const seen = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const login = `nobody-with-an-app-${n}`
        return { login, flows: `${(await begin(new Browser(), login)).body.flows}` }
      }),
    )
    const nobody = seen.find(({ flows }) => flows === 'totp,credentials')
    expect(await answersFor(String(nobody?.login))).toEqual(expected)
    const browser = new Browser()
    await begin(browser, user.login)
    expect(await proveApp(browser, user.login, { code: codeOf(key) })).toMatchObject({ body: { next: 'done' } })
  })
})

test('who signs in at a directory proves nothing by an app before the directory', async () => {
  const { user, key } = await personWithApp(firstRole)
  const { id: providerId } = await createProvider({ emailDomains: ['directory.example'] })
  await db().update(users).set({ providerId, externalId: user.login }).where(eq(users.id, user.id))
  const browser = new Browser()
  await begin(browser, user.login)
  expect(await proveApp(browser, user.login, { code: codeOf(key) })).toMatchObject(wrong('code'))
})

describe('in the profile', () => {
  test('an app is stored with its first right code; ten recovery codes, a mail and the history follow', async () => {
    const user = await createUser()
    const browser = new Browser()
    await startSessionOf(browser, user.id)
    expect((await browser.send(read, 'GET')).body).toEqual({ authenticatorApp: null })
    const { body } = await startApp(browser)
    const key = String(body.key)
    expect(key).toMatch(/^[A-Z2-7]{32}$/)
    expect(await confirmApp(browser, { proof: body.proof, code: '000000' })).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'code', code: 'errorCode' }] } },
    })
    expect(await db().select().from(authenticatorApps).where(eq(authenticatorApps.userId, user.id))).toEqual([])
    const code = codeOf(key)
    const { status, body: answer } = await confirmApp(browser, {
      proof: body.proof,
      code: `${code.slice(0, 3)} ${code.slice(3)}`,
    })
    expect({ status, codes: (answer.recoveryCodes as string[]).length }).toEqual({ status: 200, codes: 10 })
    expect((await browser.send(read, 'GET')).body).toMatchObject({ authenticatorApp: { recoveryCodes: 10 } })
    const [app] = await db().select().from(authenticatorApps).where(eq(authenticatorApps.userId, user.id))
    expect(app?.secret).not.toContain(key)
    expect(await mailsTo(user.id, 'factorAdded')).toHaveLength(1)
    const rows = await db().select().from(history).where(eq(history.entityId, user.id))
    expect(rows.filter(({ field }) => field === 'authenticatorApp')).toMatchObject([{ changerId: user.id }])
    expect(JSON.stringify(rows)).not.toContain((answer.recoveryCodes as string[])[0])
    expect(await startApp(browser)).toMatchObject({ status: 409, body: { code: 'authenticatorKnown' } })
  })

  test('a key works in its own session only, and once', async () => {
    const user = await createUser()
    const [own, other] = [new Browser(), new Browser()]
    for (const browser of [own, other]) await startSessionOf(browser, user.id)
    const { body } = await startApp(own)
    const code = codeOf(String(body.key))
    const stale = { status: 409, body: { code: 'authenticatorStale' } }
    expect(await confirmApp(other, { proof: body.proof, code })).toMatchObject(stale)
    expect(await confirmApp(own, { proof: 'made up', code })).toMatchObject(stale)
    const answers = await thirty(() => confirmApp(own, { proof: body.proof, code }))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body: refused } of answers)
      if (status !== 200) expect(refused).toMatchObject({ code: 'authenticatorKnown' })
    expect(await mailsTo(user.id, 'factorAdded')).toHaveLength(1)
  })

  test('an old session needs the password, or signing in again without one', async () => {
    const longAgo = { createdAt: new Date(Date.now() - 16 * 60_000) }
    const { user, browser } = await personWithApp('user')
    await db().update(sessions).set(longAgo).where(eq(sessions.userId, user.id))
    const needed = { status: 400, body: { data: { errorList: [{ field: 'password', code: 'errorPasswordNeeded' }] } } }
    const refused = { status: 400, body: { data: { errorList: [{ field: 'password', code: 'errorActual' }] } } }
    for (const [handler, method] of [
      [renew, 'POST'],
      [remove, 'DELETE'],
    ] as const) {
      expect(await browser.send(handler, method, { body: {} })).toMatchObject(needed)
      expect(await browser.send(handler, method, { body: { password: 'wrong' } })).toMatchObject(refused)
      expect(await browser.send(handler, method, { body: { password } })).toMatchObject({ status: 200 })
    }
    expect(await startApp(browser)).toMatchObject(needed)
    const without = await createUser({ passwordHash: null })
    const other = new Browser()
    await startSessionOf(other, without.id)
    await db().update(sessions).set(longAgo).where(eq(sessions.userId, without.id))
    expect(await startApp(other)).toMatchObject({ status: 403, body: { code: 'signInAgain' } })
  })

  test('removing the app removes its recovery codes, and mails the owner', async () => {
    const { user, browser } = await personWithApp('user')
    expect((await browser.send(remove, 'DELETE', { body: {} })).status).toBe(200)
    expect((await browser.send(read, 'GET')).body).toEqual({ authenticatorApp: null })
    expect(await db().select().from(recoveryCodes).where(eq(recoveryCodes.userId, user.id))).toEqual([])
    expect(await mailsTo(user.id, 'factorRemoved')).toHaveLength(1)
    for (const [handler, method] of [
      [renew, 'POST'],
      [remove, 'DELETE'],
    ] as const)
      expect(await browser.send(handler, method, { body: {} })).toMatchObject({
        status: 404,
        body: { code: 'notFound' },
      })
  })

  test('new recovery codes replace the old ones', async () => {
    const {
      user,
      browser,
      recoveryCodes: [old = ''],
    } = await personWithApp(appRole)
    const { body } = await browser.send(renew, 'POST', { body: {} })
    const { browser: visitor } = await afterPassword(user.login)
    expect(await proveApp(visitor, user.login, { recoveryCode: old })).toMatchObject(wrong('recoveryCode'))
    const [fresh] = body.recoveryCodes as string[]
    expect(await proveApp(visitor, user.login, { recoveryCode: String(fresh) })).toMatchObject({ status: 200 })
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

  test('a recovery code replaces it once, however it is typed, and only as the second factor', async () => {
    const {
      user,
      recoveryCodes: [code = '', other = ''],
    } = await personWithApp(appRole)
    const visitors = await thirty(async () => (await afterPassword(user.login)).browser)
    const typed = ` ${code.toUpperCase().replace('-', ' ')}`
    const answers = await Promise.all(visitors.map((each) => proveApp(each, user.login, { recoveryCode: typed })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const first = await personWithApp(firstRole)
    const browser = new Browser()
    await begin(browser, first.user.login)
    const asFirst = await proveApp(browser, first.user.login, { recoveryCode: String(first.recoveryCodes[0]) })
    expect(asFirst.status).toBe(400)
    const foreign = (await afterPassword((await personWithApp(appRole)).user.login)).browser
    expect((await proveApp(foreign, user.login, { recoveryCode: other })).status).toBe(400)
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

  test('sets one up at sign-in if nothing else can be the second factor', async () => {
    const user = await createUser({ roles: [appRole] })
    const { browser, answer } = await afterPassword(user.login)
    expect(answer.body).toEqual({ next: 'second_factor', flows: ['totp'] })
    const key = String(await keyIn(browser))
    expect(await proveApp(browser, user.login, { code: '000000' })).toMatchObject(wrong('code'))
    expect(await keyIn(browser)).toBe(key)
    expect(await proveApp(browser, user.login, { code: codeOf(key) })).toMatchObject({ body: { next: 'done' } })
    expect(await mailsTo(user.id, 'factorAdded')).toHaveLength(1)
    const next = await afterPassword(user.login)
    expect(await keyIn(next.browser)).toBeUndefined()
    expect(await proveApp(next.browser, user.login, { code: codeOf(key, 1) })).toMatchObject({ body: { next: 'done' } })
  })

  test('isn’t stuck, as the preview for administrators says', async () => {
    const [without, either] = [await createUser({ roles: [appRole] }), await createUser({ roles: [eitherRole] })]
    const second = (flows: string[]) => [{ after: 'credentials', flows }]
    expect(await offerTo(without.id)).toMatchObject({ stuck: false, second: second(['totp']) })
    expect(await offerTo(either.id)).toMatchObject({ stuck: false, second: second(['email_code']) })
  })

  test('is never offered that in place of another second factor', async () => {
    const user = await createUser({ roles: [eitherRole] })
    const { browser, answer } = await afterPassword(user.login)
    expect(answer.body).toEqual({ next: 'second_factor', flows: ['email_code'] })
    expect(await keyIn(browser)).toBeUndefined()
    expect((await proveApp(browser, user.login, { code: '000000' })).status).toBe(400)
    const body = { flow: 'email_code', login: user.login }
    await browser.send(requestCode, 'POST', { params: { idAttribute: 'login' }, body })
    await runJobs()
    const sent = await lastCodeTo(user.email ?? '')
    expect(await prove(browser, user.login, { flow: 'email_code', code: sent })).toMatchObject({ status: 200 })
  })

  test('two who know the password: the first sets the app up, the other needs its code', async () => {
    const user = await createUser({ roles: [appRole] })
    const [first, second] = [await afterPassword(user.login), await afterPassword(user.login)]
    const [firstKey, secondKey] = [String(await keyIn(first.browser)), String(await keyIn(second.browser))]
    expect(firstKey).not.toBe(secondKey)
    expect(await proveApp(first.browser, user.login, { code: codeOf(firstKey) })).toMatchObject({ status: 200 })
    expect(await keyIn(second.browser)).toBeUndefined()
    expect(await proveApp(second.browser, user.login, { code: codeOf(secondKey) })).toMatchObject(wrong('code'))
    expect(await proveApp(second.browser, user.login, { code: codeOf(firstKey, 1) })).toMatchObject({ status: 200 })
  })
})

describe('an account that somebody else prepared', () => {
  const prepared = async () => {
    const actor = await createUser()
    return createUser({ roles: [appRole], preparedBy: actor.id, preparedSince: new Date(Date.now() - 60_000) })
  }

  test('loses the app of the preparer when its person proves the e-mail', async () => {
    const user = await prepared()
    const preparer = new Browser()
    await startSessionOf(preparer, user.id)
    const { key } = await setUpApp(preparer)
    const browser = new Browser()
    const link = await recoveryLink(browser, user as { id: string; email: string })
    expect((await setByLink(browser, link, newPassword)).status).toBe(200)
    expect(await mailsTo(user.id, 'factorRemoved')).toHaveLength(1)
    const visitor = new Browser()
    await signInByPassword(visitor, user.login, newPassword)
    expect((await proveApp(visitor, user.login, { code: codeOf(key) })).status).toBe(400)
  })
})
