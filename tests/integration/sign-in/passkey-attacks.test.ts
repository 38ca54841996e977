import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { GET as relatedOrigins } from '@/app/.well-known/webauthn/route'
import { db } from '@/db/client'
import { passkeys, sessions, signInLog, userRoles, users } from '@/db/schema'
import { readUserFactors, resetUserFactors } from '@/lib/account-administration/user-factors/contract'
import { requestFactorsCode } from '@/lib/my-account/factors/contract'
import { addPasskey, removePasskey } from '@/lib/my-account/passkeys/service'
import { emailHashOf } from '@/lib/sign-in/email-hash'
import { reportSignIn } from '@/lib/sign-in/not-me/contract'
import { createRoleWith, signedInAsAdministrator } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { createAgreement, createDomain } from '../../factories/domains'
import { contextOf } from '../../factories/invitations'
import { lastCodeTo } from '../../factories/messages'
import { inProduction } from '../../factories/oidc-clients'
import {
  Authenticator,
  addKey,
  challengeOf,
  giveKey,
  makeKey,
  sendKey,
  signInByKey,
  startKey,
} from '../../factories/passkey'
import { createProvider, mailsTo } from '../../factories/recovery'
import { plantRole } from '../../factories/roles'
import { handlerOf } from '../../factories/routes'
import { begin, prove, signedInStatus, signInByPassword, signOut, startSessionOf } from '../../factories/sign-in'
import { createRole, createUser, password } from '../../factories/users'
import { lastAdministrator, tie } from '../../factories/ways-in'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const report = handlerOf(reportSignIn)
const requestCode = handlerOf(requestFactorsCode)
const rowsOf = (userId: string) => db().select().from(passkeys).where(eq(passkeys.userId, userId))
const sessionIn = async (browser: Browser) => (await contextOf(browser)).session?.id ?? ''
const expired = { status: 400, body: { code: 'attemptExpired' } }

/** Reports the sign-in that this mail is about. */
async function say(userId: string, template: 'newDevice' | 'passkeyAdded') {
  const [mail] = await mailsTo(userId, template)
  const id = /\/platform\/login\/device\/([0-9a-f-]{36})/.exec(mail?.text ?? '')?.[1] ?? ''
  expect((await new Browser().send(report, 'POST', { params: { id } })).status).toBe(200)
}

/** An account with the browser of its owner and that of a stranger who knows the password. */
async function robbed(roles: string[] = ['user']) {
  const user = await createUser({ roles })
  const [owner, thief] = [new Browser(), new Browser()]
  await signInByPassword(owner, user.login, password)
  await signInByPassword(thief, user.login, password)
  return { user, owner, thief }
}

describe('the report of a sign-in', () => {
  test('removes passkeys that were added in that browser without the e-mail, also in a session that has ended', async () => {
    const { user, thief, owner } = await robbed()
    await giveKey(user.id, { sessionId: await sessionIn(thief) })
    await giveKey(user.id, { sessionId: await sessionIn(thief), emailHash: emailHashOf(`thief.${user.email}`) })
    const ofOwner = await giveKey(user.id, { sessionId: await sessionIn(owner) })
    await signOut(thief)
    await say(user.id, 'newDevice')
    expect((await rowsOf(user.id)).map(({ credentialId }) => credentialId)).toEqual([ofOwner.credentialId])
    expect(await mailsTo(user.id, 'passkeyRemoved')).toHaveLength(1)
  })

  test('leaves one for which the same mailbox was proven: whoever reads it could report what its owner did', async () => {
    const roles = [await createRole({ firstFactor: ['credentials'], secondFactor: ['passkey'] })]
    const [user, owner] = [await createUser({ roles }), new Browser()]
    await startSessionOf(owner, user.id)
    await owner.send(requestCode, 'POST')
    const { answer } = await makeKey(owner, { code: await lastCodeTo(user.email ?? '') })
    expect(answer.status).toBe(200)
    await say(user.id, 'passkeyAdded')
    expect(await rowsOf(user.id)).toHaveLength(1)
  })

  test('removes that one too where the mailbox lets in anyway, or whoever had it for a while would stay', async () => {
    const roles = [await createRole({ firstFactor: ['credentials', 'passkey'], secondFactor: [] })]
    const { user, thief } = await robbed(roles)
    await giveKey(user.id, { sessionId: await sessionIn(thief), emailHash: emailHashOf(user.email ?? '') })
    const elsewhere = await giveKey(user.id)
    await say(user.id, 'newDevice')
    expect((await rowsOf(user.id)).map(({ credentialId }) => credentialId)).toEqual([elsewhere.credentialId])
  })
})

test('a report of a sign-in by passkey removes that passkey, wherever it was added, and ends all sessions', async () => {
  const roles = [await createRole({ firstFactor: ['credentials', 'passkey'], secondFactor: [] })]
  const user = await createUser({ roles })
  const owner = new Browser()
  await startSessionOf(owner, user.id)
  const stolen = await giveKey(user.id)
  const other = await giveKey(user.id)
  expect(await signInByKey(new Browser(), stolen)).toMatchObject({ status: 200 })
  await say(user.id, 'newDevice')
  expect((await rowsOf(user.id)).map(({ credentialId }) => credentialId)).toEqual([other.credentialId])
  expect(await signedInStatus(owner)).toBe(401)
})

describe('an account that an identity provider keeps', () => {
  test('begins with no passkey: the provider decides who its people are', async () => {
    const provider = await createProvider({ emailDomains: ['kept.example'] })
    const roles = [await createRole({ firstFactor: ['credentials', 'passkey'], secondFactor: [] })]
    const user = await createUser({ roles, providerId: provider.id })
    const authenticator = await giveKey(user.id)
    expect(await signInByKey(new Browser(), authenticator)).toMatchObject({
      status: 400,
      body: { code: 'errorPasskeyOff' },
    })
    const browser = new Browser()
    await begin(browser, user.login)
    const passkey = authenticator.sign({ challenge: await challengeOf(browser) })
    expect(await prove(browser, user.login, { flow: 'passkey', passkey })).toMatchObject({
      status: 400,
      body: { code: 'errorPasskey' },
    })
  })
})

test('a sign-in whose passkey was removed under way starts no session', async () => {
  const host = `${await createDomain({ agreement: await createAgreement() })}:3000`
  const user = await createUser({ roles: [await createRole({ firstFactor: ['passkey'], secondFactor: [] })] })
  const authenticator = await giveKey(user.id)
  const thief = new Browser(host)
  const challenge = await challengeOf(thief)
  const { body } = await sendKey(thief, authenticator.sign({ challenge, origin: `http://${host}` }))
  await db().delete(passkeys).where(eq(passkeys.userId, user.id))
  const { termsRequired } = body.data as { termsRequired: { id: string; version: number }[] }
  const termsAgree = termsRequired.map(({ id: type, version }) => ({ type, version, agree: true }))
  expect((await prove(thief, user.login, { flow: 'passkey', termsAgree })).status).not.toBe(200)
  expect(await signedInStatus(thief)).toBe(401)
})

test('a new passkey that names a maker is refused, and nobody follows the addresses in its certificates', async () => {
  const user = await createUser()
  const browser = new Browser()
  await startSessionOf(browser, user.id, ['credentials', 'email_code'])
  const { body } = await startKey(browser)
  const { challenge } = body.options as { challenge: string }
  for (const format of ['packed', 'android-key', 'tpm', 'apple', 'fido-u2f', 'android-safetynet', 'other']) {
    const passkey = new Authenticator().make({ challenge, format })
    const answer = await addKey(browser, { proof: body.proof, passkey })
    expect({ format, ...answer }).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'passkey', code: 'errorPasskey' }] } },
    })
  }
  const noBytes = { ...new Authenticator().make({ challenge }) }
  const response = { ...noBytes.response, attestationObject: 'AAAA' }
  expect((await addKey(browser, { proof: body.proof, passkey: { ...noBytes, response } })).status).toBe(400)
})

test('an administrator sees the passkeys of a person, and removes them with the app; a sign-in that waits ends', async () => {
  const host = `${await createDomain({ agreement: await createAgreement() })}:3000`
  const role = await createRole({ firstFactor: ['passkey'], secondFactor: [] })
  const user = await createUser({ roles: [role] })
  const authenticator = await giveKey(user.id, { name: 'Phone' })
  const thief = new Browser(host)
  const challenge = await challengeOf(thief)
  const stopped = await sendKey(thief, authenticator.sign({ challenge, origin: `http://${host}` }))
  expect(stopped).toMatchObject({ status: 403, body: { code: 'termsRequired' } })
  const administrator = new Caller((await signedInAsAdministrator()).browser)
  const params = { id: user.id }
  expect(await administrator.call(readUserFactors, { params })).toMatchObject({
    authenticatorApp: null,
    passkeys: [{ name: 'Phone', isSynced: true, usedAt: expect.any(String) }],
  })
  await administrator.call(resetUserFactors, { params, body: { reason: 'lost phone' } })
  expect(await rowsOf(user.id)).toEqual([])
  expect(await mailsTo(user.id, 'factorReset')).toHaveLength(1)
  expect(await mailsTo(user.id, 'passkeyRemoved')).toEqual([])
  const { termsRequired } = stopped.body.data as { termsRequired: { id: string; version: number }[] }
  const termsAgree = termsRequired.map(({ id: type, version }) => ({ type, version, agree: true }))
  expect(await prove(thief, user.login, { flow: 'passkey', termsAgree })).toMatchObject(expired)
})

test('a change that was under way when the session ended or the account was disabled stores nothing', async () => {
  for (const end of [
    (userId: string) => db().update(sessions).set({ endedAt: new Date() }).where(eq(sessions.userId, userId)),
    (userId: string) => db().update(users).set({ enabled: false }).where(eq(users.id, userId)),
  ]) {
    const user = await createUser()
    const browser = new Browser()
    await startSessionOf(browser, user.id, ['credentials', 'email_code'])
    await giveKey(user.id)
    const { body } = await startKey(browser)
    const ctx = await contextOf(browser)
    await end(user.id)
    const passkey = new Authenticator().make(body.options as { challenge: string })
    const added = addPasskey(ctx, { body: { proof: String(body.proof), passkey: passkey as never } })
    await expect(added).rejects.toMatchObject({ status: 401 })
    const [row] = await rowsOf(user.id)
    const removed = removePasskey(ctx, { params: { id: row?.id ?? '' }, body: {} })
    await expect(removed).rejects.toMatchObject({ status: 401 })
    expect(await rowsOf(user.id)).toHaveLength(1)
  }
})

test('the last administrator keeps the passkey without which nobody could sign in', async () => {
  const user = await createUser()
  const browser = new Browser()
  await startSessionOf(browser, user.id, ['credentials', 'email_code'])
  await giveKey(user.id)
  await lastAdministrator(user.id)
  const other = await plantRole([])
  await db().insert(userRoles).values({ userId: user.id, roleId: other.id })
  await tie(other.id, 'credentials', 1_000_000, ['passkey', 'sms_code'])
  await db().update(users).set({ mobile: '+79110009977' }).where(eq(users.id, user.id))
  const ctx = await contextOf(browser)
  const [row] = await rowsOf(user.id)
  await inProduction(() =>
    expect(removePasskey(ctx, { params: { id: row?.id ?? '' }, body: {} })).rejects.toMatchObject({
      code: 'lastAdministrator',
    }),
  )
  // another passkey doesn't help the platform if both are removed at once
  await giveKey(user.id)
  const ids = (await rowsOf(user.id)).map(({ id }) => id)
  const results = await inProduction(() =>
    Promise.allSettled(ids.map((id) => removePasskey(ctx, { params: { id }, body: {} }))),
  )
  const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'removed')).sort()
  expect(codes).toEqual(['lastAdministrator', 'removed'])
})

test('a doubtful account without an e-mail can’t go on after its passkey', async () => {
  const actor = await createUser()
  const role = await createRole({ firstFactor: ['passkey'], secondFactor: [] })
  const roles = [role, await createRoleWith(['license.write'])]
  const user = await createUser({ roles, email: null, preparedBy: actor.id, preparedSince: new Date(0) })
  const authenticator = await giveKey(user.id)
  expect(await signInByKey(new Browser(), authenticator)).toMatchObject({ status: 400, body: { code: 'noFlows' } })
})

test('wrong passkeys of an address are limited, and are logged once in a minute', async () => {
  const user = await createUser({ roles: [await createRole({ firstFactor: ['passkey'], secondFactor: [] })] })
  const authenticator = await giveKey(user.id)
  const browser = new Browser()
  const strange = new Authenticator().sign({ challenge: await challengeOf(browser) })
  const codes = []
  for (let n = 0; n < 101; n++) codes.push((await sendKey(browser, strange)).body.code)
  expect(codes.slice(0, 100).every((code) => code === 'errorPasskeyUnknown')).toBe(true)
  expect(codes.at(-1)).toBe('tooManyAttempts')
  const right = authenticator.sign({ challenge: await challengeOf(browser) })
  expect(await sendKey(browser, right)).toMatchObject({ status: 429 })
  const rows = await db().select().from(signInLog).where(eq(signInLog.ip, browser.ip))
  expect(rows.filter(({ cause }) => cause === 'unknownPasskey')).toHaveLength(1)
})

test('one passkey signs in on every domain of the platform; browsers read these origins, and no other works', async () => {
  const host = `${await createDomain()}:3000`
  const user = await createUser({ roles: [await createRole({ firstFactor: ['passkey'], secondFactor: [] })] })
  const authenticator = await giveKey(user.id)
  const { origins } = await (await relatedOrigins()).json()
  expect(origins).toEqual(expect.arrayContaining(['http://localhost:3000', `http://${host}`]))
  const browser = new Browser(host)
  // a page of another domain of ours isn't this page
  const elsewhere = authenticator.sign({ challenge: await challengeOf(browser) })
  expect(await sendKey(browser, elsewhere)).toMatchObject({ status: 400, body: { code: 'errorPasskey' } })
  const here = authenticator.sign({ challenge: await challengeOf(browser), origin: `http://${host}` })
  expect(await sendKey(browser, here)).toMatchObject({ status: 200, body: { next: 'done' } })
})

test('a new passkey needs a code that was sent: a wrong one, and too many, are refused', async () => {
  const user = await createUser()
  const browser = new Browser()
  await startSessionOf(browser, user.id)
  await browser.send(requestCode, 'POST')
  const right = await lastCodeTo(user.email ?? '')
  const wrong = right === '0000' ? '1111' : '0000'
  const answers = []
  for (let n = 0; n < 20 && answers.at(-1) !== 'errorCodeAttempts'; n++) {
    const { body } = await startKey(browser, { code: wrong })
    answers.push((body.data as { errorList: { code: string }[] }).errorList[0]?.code)
  }
  expect(new Set(answers)).toEqual(new Set(['errorCode', 'errorCodeAttempts']))
  expect((await startKey(browser, { code: right })).status).toBe(400)
  const noKey = await addKey(browser, { proof: 'made up', passkey: new Authenticator().make({ challenge: 'x' }) })
  expect(noKey).toMatchObject({ status: 409, body: { code: 'passkeyStale' } })
})
