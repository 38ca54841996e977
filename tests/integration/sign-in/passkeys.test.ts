import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { passkeys, sessions, signInLog, users } from '@/db/schema'
import { authCode } from '@/lib/sign-in/attempts/contract'
import { emailHashOf } from '@/lib/sign-in/email-hash'
import { createRoleWith } from '../../factories/access'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { createAgreement, createDomain } from '../../factories/domains'
import { lastCodeTo, runJobs } from '../../factories/messages'
import { Authenticator, challengeOf, giveKey, sendKey, signInByKey } from '../../factories/passkey'
import { mailsTo } from '../../factories/recovery'
import { handlerOf } from '../../factories/routes'
import { begin, prove, signedInStatus, signInByPassword } from '../../factories/sign-in'
import { createRole, createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const requestCode = handlerOf(authCode)

let keyRole: string
let secondRole: string
let strictRole: string
beforeAll(async () => {
  keyRole = await createRole({ firstFactor: ['credentials', 'passkey'], secondFactor: [] })
  secondRole = await createRole({ firstFactor: ['credentials'], secondFactor: ['passkey'] })
  strictRole = await createRole({ firstFactor: ['credentials', 'passkey'], secondFactor: ['totp'] })
})

const personWith = async (role: string, given: Parameters<typeof createUser>[0] = {}) => {
  const user = await createUser({ roles: [role], ...given })
  return { user, authenticator: await giveKey(user.id) }
}
const rowsOf = (userId: string) => db().select().from(passkeys).where(eq(passkeys.userId, userId))
const causesOf = async (userId: string) =>
  (await db().select().from(signInLog).where(eq(signInLog.userId, userId))).map(({ cause }) => cause)
const refused = (code = 'errorPasskey') => ({
  status: 400,
  body: { code, data: { errorList: [{ field: 'passkey', code }] } },
})
const longAgo = { createdAt: new Date(Date.now() - 16 * 60_000) }
const _makeOld = (userId: string) => db().update(sessions).set(longAgo).where(eq(sessions.userId, userId))

describe('signing in with a passkey alone', () => {
  test('it is both factors, and is logged without an identifier', async () => {
    const { user, authenticator } = await personWith(strictRole)
    const browser = new Browser()
    expect(await signInByKey(browser, authenticator)).toMatchObject({ status: 200, body: { next: 'done' } })
    expect(await signedInStatus(browser)).toBe(200)
    const [entry] = await db().select().from(signInLog).where(eq(signInLog.userId, user.id))
    expect(entry).toMatchObject({ flows: ['passkey'], idAttribute: null, cause: null })
    const [row] = await rowsOf(user.id)
    expect(row?.usedAt).toBeInstanceOf(Date)
  })

  test('what an authenticator says wrong is refused, whatever it is', async () => {
    const { user, authenticator } = await personWith(keyRole)
    const browser = new Browser()
    const challenge = await challengeOf(browser)
    const others = await challengeOf(new Browser())
    for (const saying of [
      { origin: 'http://evil.example' },
      { origin: 'http://localhost:3001' },
      { origin: 'https://localhost:3000' },
      { rpId: 'evil.example' },
      { type: 'webauthn.create' },
      { crossOrigin: true },
      { verified: false },
      { present: false },
      { challenge: others },
      { challenge: `${challenge.slice(0, -2)}AA` },
      { challenge: Buffer.from('x').toString('base64url') },
      { userHandle: Buffer.alloc(16).toString('base64url') },
    ]) {
      const answer = await sendKey(browser, authenticator.sign({ challenge, ...saying }))
      expect({ saying, ...answer }).toMatchObject(refused())
    }
    const other = new Authenticator()
    const right = authenticator.sign({ challenge })
    const forged = { ...other.sign({ challenge }), id: right.id, rawId: right.rawId }
    expect(await sendKey(browser, forged)).toMatchObject(refused())
    expect(await sendKey(browser, other.sign({ challenge }))).toMatchObject(refused('errorPasskeyUnknown'))
    expect(await signedInStatus(browser)).toBe(401)
    // none of these has used the challenge up
    expect(await sendKey(browser, right)).toMatchObject({ status: 200 })
    expect((await rowsOf(user.id))[0]?.usedAt).not.toBeNull()
  })

  test('of thirty who send the same signature at once, one signs in; later nobody does', async () => {
    const { authenticator } = await personWith(keyRole)
    const browser = new Browser()
    const signature = authenticator.sign({ challenge: await challengeOf(browser) })
    const answers = await thirty(() => sendKey(browser.copy(), signature))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await sendKey(browser, signature)).toMatchObject(refused())
  })

  test('a signature is of use in its own browser only', async () => {
    const { authenticator } = await personWith(keyRole)
    const signature = authenticator.sign({ challenge: await challengeOf(new Browser()) })
    const thief = new Browser()
    await challengeOf(thief)
    expect(await sendKey(thief, signature)).toMatchObject(refused())
    expect(await sendKey(new Browser(), signature)).toMatchObject(refused())
  })

  test('an authenticator that counts and signs as often as before may be a copy: it is refused and logged', async () => {
    const user = await createUser({ roles: [keyRole] })
    const authenticator = await giveKey(user.id, { counter: 5 })
    const copy = authenticator.counter
    expect(await signInByKey(new Browser(), authenticator)).toMatchObject({ status: 200 })
    authenticator.counter = copy
    expect(await signInByKey(new Browser(), authenticator)).toMatchObject(refused())
    // an authenticator that has counted doesn't stop
    expect(await signInByKey(new Browser(), authenticator, { counter: 0 })).toMatchObject(refused())
    expect(await causesOf(user.id)).toEqual(expect.arrayContaining(['copiedPasskey']))
    expect(await signInByKey(new Browser(), authenticator, { counter: 20 })).toMatchObject({ status: 200 })
  })

  test('a schema that doesn’t begin with a passkey takes none; a disabled account neither', async () => {
    const named = await personWith(secondRole)
    expect(await signInByKey(new Browser(), named.authenticator)).toMatchObject({
      status: 400,
      body: { code: 'errorPasskeyOff' },
    })
    expect(await causesOf(named.user.id)).toEqual(['noWay'])
    const disabled = await personWith(keyRole, { enabled: false })
    expect(await signInByKey(new Browser(), disabled.authenticator)).toMatchObject({
      status: 400,
      body: { code: 'accountBlocked' },
    })
  })

  test('the proof of a doubtful account’s e-mail still follows; it keeps this passkey and no other', async () => {
    const actor = await createUser()
    const roles = [keyRole, await createRoleWith(['license.write'])]
    const user = await createUser({ roles, preparedBy: actor.id, preparedSince: new Date(0) })
    const used = await giveKey(user.id)
    await giveKey(user.id, { name: 'of somebody else' })
    const byEmail = await giveKey(user.id, { name: 'of the owner', emailHash: emailHashOf(user.email ?? '') })
    const browser = new Browser()
    const answer = await signInByKey(browser, used)
    expect(answer.body).toEqual({ next: 'second_factor', flows: ['email_code'], login: user.login })
    const body = { flow: 'email_code', login: user.login }
    await browser.send(requestCode, 'POST', { params: { idAttribute: 'login' }, body })
    await runJobs()
    const code = await lastCodeTo(user.email ?? '')
    expect(await prove(browser, user.login, { flow: 'email_code', code })).toMatchObject({ body: { next: 'done' } })
    const left = (await rowsOf(user.id)).map(({ credentialId }) => credentialId)
    expect(left.sort()).toEqual([used.credentialId, byEmail.credentialId].sort())
    expect(await mailsTo(user.id, 'passkeyRemoved')).toHaveLength(1)
  })

  test('terms are accepted as after any other sign-in', async () => {
    const host = `${await createDomain({ agreement: await createAgreement() })}:3000`
    const { user, authenticator } = await personWith(keyRole)
    const browser = new Browser(host)
    const challenge = await challengeOf(browser)
    const stopped = await sendKey(browser, authenticator.sign({ challenge, origin: `http://${host}` }))
    expect(stopped).toMatchObject({ status: 403, body: { code: 'termsRequired' } })
    const { termsRequired } = stopped.body.data as { termsRequired: { id: string; version: number }[] }
    const termsAgree = termsRequired.map(({ id: type, version }) => ({ type, version, agree: true }))
    expect(await prove(browser, user.login, { flow: 'passkey', termsAgree })).toMatchObject({ body: { next: 'done' } })
  })
})

describe('as a step of a sign-in', () => {
  test('it is the second factor of a schema that names it there', async () => {
    const { user, authenticator } = await personWith(secondRole)
    const browser = new Browser()
    const { body } = await signInByPassword(browser, user.login, password)
    expect(body).toEqual({ next: 'second_factor', flows: ['passkey'] })
    const other = await personWith(secondRole)
    const challenge = await challengeOf(browser)
    const stranger = other.authenticator.sign({ challenge })
    expect(await prove(browser, user.login, { flow: 'passkey', passkey: stranger })).toMatchObject(refused())
    expect(await prove(browser, user.login, { flow: 'passkey' })).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'passkey', code: 'errorEmpty' }] } },
    })
    const passkey = authenticator.sign({ challenge: await challengeOf(browser) })
    expect(await prove(browser, user.login, { flow: 'passkey', passkey })).toMatchObject({ body: { next: 'done' } })
  })

  test('after an identifier it is offered to everybody, behind the other flows, and ends the sign-in', async () => {
    const { user, authenticator } = await personWith(strictRole)
    const browser = new Browser()
    expect((await begin(browser, user.login)).body).toMatchObject({ flows: ['credentials', 'passkey'] })
    const passkey = authenticator.sign({ challenge: await challengeOf(browser) })
    expect(await prove(browser, user.login, { flow: 'passkey', passkey })).toMatchObject({ body: { next: 'done' } })
  })

  test('who has proven the password and has no app may use a passkey that the first factor names', async () => {
    const { user, authenticator } = await personWith(strictRole)
    const browser = new Browser()
    const { body } = await signInByPassword(browser, user.login, password)
    expect(body).toEqual({ next: 'second_factor', flows: ['passkey'] })
    const passkey = authenticator.sign({ challenge: await challengeOf(browser) })
    expect(await prove(browser, user.login, { flow: 'passkey', passkey })).toMatchObject({ body: { next: 'done' } })
  })
})

test('a deleted account leaves none', async () => {
  const { user } = await personWith(keyRole)
  expect(await rowsOf(user.id)).toHaveLength(1)
  await db().delete(users).where(eq(users.id, user.id))
  expect(await rowsOf(user.id)).toEqual([])
})
