import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { authenticatorApps, recoveryCodes, sessions, signInAttempts, users } from '@/db/schema'
import { resetUserFactors } from '@/lib/account-administration/user-factors/contract'
import { redis } from '@/lib/base/redis/redis'
import { requestFactorsCode } from '@/lib/my-account/factors/contract'
import { confirmAuthenticatorApp, removeAuthenticatorApp } from '@/lib/my-account/factors/service'
import { signInStep } from '@/lib/sign-in/attempts/service'
import { reportSignIn } from '@/lib/sign-in/not-me/contract'
import { signedInAsAdministrator } from '../../factories/access'
import { giveApp, renewCodes, setUpApp, startApp, startAppByCode } from '../../factories/authenticator'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { createAgreement, createDomain } from '../../factories/domains'
import { contextOf } from '../../factories/invitations'
import { freshKey, setKeys } from '../../factories/keys'
import { lastCodeTo } from '../../factories/messages'
import { inProduction } from '../../factories/oidc-clients'
import { mailsTo, recoveryLink, setByLink } from '../../factories/recovery'
import { newPassword } from '../../factories/registration'
import { handlerOf } from '../../factories/routes'
import { prove, signInByPassword, signOut, startSessionOf } from '../../factories/sign-in'
import { codeOf } from '../../factories/totp'
import { createRole, createUser, password } from '../../factories/users'
import { letInByApp } from '../../factories/ways-in'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const report = handlerOf(reportSignIn)
const requestCode = handlerOf(requestFactorsCode)

const appOf = async (userId: string) =>
  (await db().select().from(authenticatorApps).where(eq(authenticatorApps.userId, userId)))[0]
const sessionIn = async (browser: Browser) => (await contextOf(browser)).session?.id ?? ''
const fault = (code: string) => ({ status: 400, body: { data: { errorList: [{ field: 'code', code }] } } })
const expired = { status: 400, body: { code: 'attemptExpired' } }

/** Reports the sign-in that this mail is about. */
async function say(userId: string, template: 'newDevice' | 'factorAdded' | 'recoveryCodesRenewed') {
  const [mail] = await mailsTo(userId, template)
  const id = /\/platform\/login\/device\/([0-9a-f-]{36})/.exec(mail?.text ?? '')?.[1] ?? ''
  expect((await new Browser().send(report, 'POST', { params: { id } })).status).toBe(200)
}

/** An account with the browser of its owner and that of a stranger who knows the password. */
async function robbed() {
  const user = await createUser()
  const [owner, thief] = [new Browser(), new Browser()]
  await signInByPassword(owner, user.login, password)
  await signInByPassword(thief, user.login, password)
  return { user, owner, thief }
}

describe('the report of a sign-in', () => {
  test('removes an app that was set up in that browser without the e-mail, also in a session that has ended', async () => {
    const { user, thief } = await robbed()
    await signOut(thief)
    await signInByPassword(thief, user.login, password)
    await giveApp(user.id, await sessionIn(thief))
    await signOut(thief)
    await say(user.id, 'newDevice')
    expect(await appOf(user.id)).toBeUndefined()
    expect(await mailsTo(user.id, 'factorRemoved')).toHaveLength(1)
  })

  test('leaves the owner’s app: of another browser, imported, and one for which the e-mail was proven', async () => {
    const other = await robbed()
    await giveApp(other.user.id, await sessionIn(other.owner))
    const imported = await robbed()
    await giveApp(imported.user.id, null)
    // whoever reads the mailbox can report for a week what its owner did
    const byEmail = await robbed()
    await setUpApp(byEmail.owner, byEmail.user.email)
    await say(other.user.id, 'newDevice')
    await say(imported.user.id, 'newDevice')
    await say(byEmail.user.id, 'factorAdded')
    for (const { user } of [other, imported, byEmail]) expect(await appOf(user.id)).toBeDefined()
  })

  test('removes an app for which the stranger’s own e-mail was proven, which they had made the main one', async () => {
    const { user, thief } = await robbed()
    const email = `thief.${user.email}`
    await db().update(users).set({ email }).where(eq(users.id, user.id))
    await setUpApp(thief, email)
    await say(user.id, 'newDevice')
    expect(await appOf(user.id)).toBeUndefined()
  })

  test('removes the recovery codes, which the stranger may have made', async () => {
    const { user, owner, thief } = await robbed()
    const { key } = await giveApp(user.id, await sessionIn(owner))
    expect((await renewCodes(thief, { code: codeOf(key) })).status).toBe(200)
    await say(user.id, 'recoveryCodesRenewed')
    expect(await db().$count(recoveryCodes, eq(recoveryCodes.userId, user.id))).toBe(0)
    expect(await appOf(user.id)).toBeDefined()
  })
})

test('a mailbox alone doesn’t remove the app that the owner of a doubtful account has set up with it', async () => {
  const actor = await createUser()
  const user = await createUser({ preparedBy: actor.id, preparedSince: new Date(0) })
  const owner = new Browser()
  await startSessionOf(owner, user.id)
  await setUpApp(owner, user.email)
  const thief = new Browser()
  const link = await recoveryLink(thief, user as { id: string; email: string })
  expect((await setByLink(thief, link, newPassword)).status).toBe(200)
  expect(await appOf(user.id)).toBeDefined()
})

test('a change that was under way when the session ended or the account was disabled stores nothing', async () => {
  for (const end of [
    (userId: string) => db().update(sessions).set({ endedAt: new Date() }).where(eq(sessions.userId, userId)),
    (userId: string) => db().update(users).set({ enabled: false }).where(eq(users.id, userId)),
  ]) {
    const user = await createUser()
    const browser = new Browser()
    await startSessionOf(browser, user.id)
    const { body } = await startAppByCode(browser, user.email)
    const ctx = await contextOf(browser)
    await end(user.id)
    const input = { body: { proof: String(body.proof), code: codeOf(String(body.key)) } }
    await expect(confirmAuthenticatorApp(ctx, input)).rejects.toMatchObject({ status: 401 })
    const { key } = await giveApp(user.id)
    await expect(removeAuthenticatorApp(ctx, { body: { code: codeOf(key), password } })).rejects.toMatchObject({
      status: 401,
    })
    expect(await appOf(user.id)).toBeDefined()
  }
})

test('the last administrator keeps an app without which nobody could sign in', async () => {
  const user = await createUser()
  const browser = new Browser()
  await startSessionOf(browser, user.id)
  const { key } = await giveApp(user.id)
  await letInByApp(user.id)
  const ctx = await contextOf(browser)
  await inProduction(() =>
    expect(removeAuthenticatorApp(ctx, { body: { code: codeOf(key) } })).rejects.toMatchObject({
      code: 'lastAdministrator',
    }),
  )
})

test('somebody with two contacts and no password proves the one that the session hasn’t', async () => {
  const user = await createUser({ passwordHash: null })
  const browser = new Browser()
  await startSessionOf(browser, user.id, ['email_code'])
  expect((await startApp(browser)).body).toMatchObject({
    data: { errorList: [{ field: 'code', code: 'errorCodeNeeded' }] },
  })
  const { body } = await startAppByCode(browser, user.mobile)
  expect(body.key).toBeTruthy()
})

test('somebody without any proof sets nothing up', async () => {
  const user = await createUser({ passwordHash: null, email: null, mobile: null })
  const browser = new Browser()
  await startSessionOf(browser, user.id)
  expect(await startApp(browser)).toMatchObject({ status: 403, body: { code: 'signInAgain' } })
})

test('a sign-in that waits for the terms ends with the app that it has proven', async () => {
  const host = `${await createDomain({ agreement: await createAgreement() })}:3000`
  const role = await createRole({ firstFactor: ['credentials'], secondFactor: ['totp'] })
  const user = await createUser({ roles: [role], email: null, mobile: null })
  const { key } = await giveApp(user.id)
  const thief = new Browser(host)
  await signInByPassword(thief, user.login, password)
  const stopped = await prove(thief, user.login, { flow: 'totp', code: codeOf(key) })
  expect(stopped).toMatchObject({ status: 403, body: { code: 'termsRequired' } })
  const administrator = new Caller((await signedInAsAdministrator()).browser)
  await administrator.call(resetUserFactors, { params: { id: user.id }, body: { reason: 'stolen phone' } })
  const { termsRequired } = stopped.body.data as { termsRequired: { id: string; version: number }[] }
  const termsAgree = termsRequired.map(({ id: type, version }) => ({ type, version, agree: true }))
  expect(await prove(thief, user.login, { flow: 'totp', termsAgree })).toMatchObject(expired)
})

describe('the code to a contact', () => {
  const ask = (browser: Browser) => browser.send(requestCode, 'POST')
  const signedIn = async (wishes: Parameters<typeof createUser>[0] = {}) => {
    const [user, browser] = [await createUser(wishes), new Browser()]
    await startSessionOf(browser, user.id)
    return { user, browser }
  }

  test('is sent to nobody without a contact, not by an SMS that can’t be sent, and not too often', async () => {
    const lonely = await signedIn({ email: null, mobile: null })
    expect(await ask(lonely.browser)).toMatchObject({ status: 409, body: { code: 'errorNoContact' } })
    const byPhone = await signedIn({ email: null })
    await redis().set('sms-gateway-down', '1', 'EX', 30)
    expect(await ask(byPhone.browser)).toMatchObject({ status: 503, body: { code: 'smsUnavailable' } })
    await redis().del('sms-gateway-down')
    const { browser } = await signedIn()
    const answers = []
    for (let n = 0; n < 40 && answers.at(-1) !== 'codeDailyLimit'; n++) {
      await redis().del(await redis().keys('code-resend:*'))
      answers.push((await ask(browser)).body.code)
    }
    expect(answers.at(-1)).toBe('codeDailyLimit')
  })

  test('is refused when there is none, and after too many wrong ones', async () => {
    const { user, browser } = await signedIn()
    expect(await startApp(browser, { code: '0000' })).toMatchObject(fault('errorCodeExpired'))
    await ask(browser)
    const right = await lastCodeTo(user.email ?? '')
    const wrong = right === '0000' ? '1111' : '0000'
    const answers = []
    for (let n = 0; n < 20 && answers.at(-1) !== 'errorCodeAttempts'; n++) {
      const { body } = await startApp(browser, { code: wrong })
      answers.push((body.data as { errorList: { code: string }[] }).errorList[0]?.code)
    }
    expect(new Set(answers)).toEqual(new Set(['errorCode', 'errorCodeAttempts']))
    expect((await startApp(browser, { code: right })).status).toBe(400)
  })
})

describe('an attempt that sets an app up', () => {
  const waiting = async () => {
    const role = await createRole({ firstFactor: ['credentials'], secondFactor: ['totp'] })
    const user = await createUser({ roles: [role], email: null, mobile: null })
    const browser = new Browser()
    await signInByPassword(browser, user.login, password)
    const step = await signInStep(await contextOf(browser))
    return { user, browser, key: step && 'newApp' in step ? (step.newApp?.key ?? '') : '' }
  }

  test('keeps no key when it has ended', async () => {
    const { user, browser, key } = await waiting()
    expect(await prove(browser, user.login, { flow: 'totp', code: codeOf(key) })).toMatchObject({ status: 200 })
    const [attempt] = await db().select().from(signInAttempts).where(eq(signInAttempts.userId, user.id))
    expect(attempt?.state).not.toHaveProperty('newApp')
  })

  test('begins anew when the encryption key is gone, and when an administrator has reset the app', async () => {
    const { user, browser, key } = await waiting()
    const before = process.env.SECRET_KEYS ?? ''
    setKeys(freshKey())
    expect(await signInStep(await contextOf(browser))).toBeNull()
    expect(await prove(browser, user.login, { flow: 'totp', code: codeOf(key) })).toMatchObject(expired)
    setKeys(before)
    const role = await createRole({ firstFactor: ['credentials'], secondFactor: ['totp'] })
    const other = await createUser({ roles: [role] })
    const app = await giveApp(other.id)
    const visitor = new Browser()
    await signInByPassword(visitor, other.login, password)
    await db().delete(authenticatorApps).where(eq(authenticatorApps.userId, other.id))
    expect(await prove(visitor, other.login, { flow: 'totp', code: codeOf(app.key) })).toMatchObject(expired)
  })
})
