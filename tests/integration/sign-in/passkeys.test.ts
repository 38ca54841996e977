import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, passkeys, sessions, signInLog, users } from '@/db/schema'
import { requestFactorsCode } from '@/lib/my-account/factors/contract'
import { addPasskey } from '@/lib/my-account/passkeys/service'
import { authCode } from '@/lib/sign-in/attempts/contract'
import { emailHashOf } from '@/lib/sign-in/email-hash'
import { createRoleWith } from '../../factories/access'
import { thirty } from '../../factories/at-once'
import { giveApp } from '../../factories/authenticator'
import { Browser } from '../../factories/browser'
import { createAgreement, createDomain } from '../../factories/domains'
import { contextOf } from '../../factories/invitations'
import { lastCodeTo, runJobs } from '../../factories/messages'
import {
  Authenticator,
  addKey,
  challengeOf,
  giveKey,
  makeKey,
  ownKeys,
  removeKey,
  sendKey,
  signInByKey,
  startKey,
} from '../../factories/passkey'
import { mailsTo } from '../../factories/recovery'
import { handlerOf } from '../../factories/routes'
import { begin, prove, signedInStatus, signInByPassword, startSessionOf } from '../../factories/sign-in'
import { codeOf } from '../../factories/totp'
import { createRole, createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const requestCode = handlerOf(authCode)
const requestOwnCode = handlerOf(requestFactorsCode)

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
const signedIn = async (given: Parameters<typeof createUser>[0] = {}, proven?: string[]) => {
  const [user, browser] = [await createUser({ roles: [keyRole], ...given }), new Browser()]
  await startSessionOf(browser, user.id, proven)
  return { user, browser }
}
const rowsOf = (userId: string) => db().select().from(passkeys).where(eq(passkeys.userId, userId))
const causesOf = async (userId: string) =>
  (await db().select().from(signInLog).where(eq(signInLog.userId, userId))).map(({ cause }) => cause)
const refused = (code = 'errorPasskey') => ({
  status: 400,
  body: { code, data: { errorList: [{ field: 'passkey', code }] } },
})
const longAgo = { createdAt: new Date(Date.now() - 16 * 60_000) }
const makeOld = (userId: string) => db().update(sessions).set(longAgo).where(eq(sessions.userId, userId))

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

describe('in the profile', () => {
  test('a passkey is stored after the proofs, is named after its authenticator, mailed, recorded and listed', async () => {
    const { user, browser } = await signedIn({}, ['credentials', 'email_code'])
    expect((await ownKeys(browser)).body).toMatchObject({ passkeys: [], signIn: true, needs: [] })
    const { authenticator, answer } = await makeKey(browser)
    expect(answer.status).toBe(200)
    const { body } = await ownKeys(browser)
    expect(body).toMatchObject({
      passkeys: [{ isSynced: true, usedAt: null }],
      signal: { rpId: 'localhost', allAcceptedCredentialIds: [authenticator.credentialId] },
    })
    expect((body.passkeys as { name: string }[])[0]?.name).toMatch(/^Chrome/)
    expect(await mailsTo(user.id, 'passkeyAdded')).toHaveLength(1)
    const rows = await db().select().from(history).where(eq(history.entityId, user.id))
    expect(rows.filter(({ field }) => field === 'passkeys')).toMatchObject([{ changerId: user.id }])
    expect(await signInByKey(new Browser(), authenticator)).toMatchObject({ body: { next: 'done' } })
    expect((await startKey(browser)).body.options).toMatchObject({
      excludeCredentials: [{ id: authenticator.credentialId }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    })
  })

  // what a fresh session has proven counts, an old one counts for nothing; who has an app proves it too
  test.each<[string, { proven: string[]; isOld?: boolean; app?: true; without?: object }, string[] | null]>([
    ['the password in a fresh session: the code', { proven: ['credentials'] }, ['code']],
    ['both in a fresh session: nothing', { proven: ['credentials', 'email_code'] }, []],
    ['a passkey that isn’t there any more: password and code', { proven: ['passkey'] }, ['password', 'code']],
    ['an old session: both', { proven: ['passkey'], isOld: true }, ['password', 'code']],
    ['the password and the app in a fresh session: nothing', { proven: ['credentials', 'totp'], app: true }, []],
    ['password and e-mail, but not the app', { proven: ['credentials', 'email_code'], app: true }, ['app']],
    ['an old session of somebody with an app', { proven: ['totp'], isOld: true, app: true }, ['password', 'app']],
    ['no proof that the account has', { proven: [], without: { passwordHash: null, email: null, mobile: null } }, null],
  ])('adding one asks after %s', async (_, { proven, isOld, app, without = { mobile: null } }, needs) => {
    const { user, browser } = await signedIn(without, proven)
    if (app) await giveApp(user.id)
    if (isOld) await makeOld(user.id)
    expect((await ownKeys(browser)).body).toMatchObject({ needs })
    const answer = await startKey(browser)
    if (!needs) return expect(answer).toMatchObject({ status: 403, body: { code: 'signInAgain' } })
    if (needs.length === 0) return expect(answer.status).toBe(200)
    const names = {
      password: ['password', 'errorPasswordNeeded'],
      code: ['code', 'errorCodeNeeded'],
      app: ['appCode', 'errorEmpty'],
    }
    const errorList = needs.map((need) => {
      const [field, code] = names[need as keyof typeof names]
      return { field, code }
    })
    expect(answer).toMatchObject({ status: 400, body: { data: { errorList } } })
    const wrong = { password: 'errorActual', code: 'errorCodeExpired', app: 'errorCode' }
    const [first] = needs as (keyof typeof wrong)[]
    const answered = await startKey(browser, { password: 'wrong', code: '00000000', appCode: '000000' })
    expect(answered).toMatchObject({ status: 400, body: { data: { errorList: [{ code: first && wrong[first] }] } } })
  })

  test('a code of the app and the password add one in an old session', async () => {
    const { user, browser } = await signedIn({ mobile: null })
    const { key } = await giveApp(user.id)
    await makeOld(user.id)
    const { answer } = await makeKey(browser, { password, appCode: codeOf(key) })
    expect(answer.status).toBe(200)
    expect(await startKey(browser, { password, appCode: codeOf(key) })).toMatchObject({ status: 400 })
  })

  test('what an authenticator makes wrong is refused; a proof works in its own session, for 15 minutes', async () => {
    const { user, browser } = await signedIn({}, ['credentials', 'email_code'])
    const { body } = await startKey(browser)
    const { challenge } = body.options as { challenge: string }
    const stale = { status: 409, body: { code: 'passkeyStale' } }
    for (const saying of [
      { origin: 'http://evil.example' },
      { rpId: 'evil.example' },
      { type: 'webauthn.get' },
      { verified: false },
      { present: false },
      { challenge: await challengeOf(browser) },
    ]) {
      const passkey = new Authenticator().make({ challenge, ...saying })
      const answer = await addKey(browser, { proof: body.proof, passkey })
      expect({ saying, ...answer }).toMatchObject({
        status: 400,
        body: { data: { errorList: [{ field: 'passkey', code: 'errorPasskey' }] } },
      })
    }
    const passkey = new Authenticator().make({ challenge })
    const other = new Browser()
    await startSessionOf(other, user.id)
    expect(await addKey(other, { proof: body.proof, passkey })).toMatchObject(stale)
    expect(await addKey(browser, { proof: `9${body.proof}`, passkey })).toMatchObject(stale)
    const ctx = { ...(await contextOf(browser)), now: () => new Date(Date.now() + 15 * 60_000 + 1000) }
    const late = { body: { proof: String(body.proof), passkey: passkey as never } }
    await expect(addPasskey(ctx, late)).rejects.toMatchObject({ code: 'passkeyStale' })
    const answers = await thirty(() => addKey(browser, { proof: body.proof, passkey }))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body: answer } of answers) if (status !== 200) expect(answer.code).toBe('passkeyStale')
    expect(await rowsOf(user.id)).toHaveLength(1)
    // one that was removed isn't stored again
    await db().delete(passkeys).where(eq(passkeys.userId, user.id))
    expect(await addKey(browser, { proof: body.proof, passkey })).toMatchObject(stale)
    // nor one that was begun before others were removed
    await giveKey(user.id)
    const begun = (await startKey(browser)).body
    await db().delete(passkeys).where(eq(passkeys.userId, user.id))
    const late2 = new Authenticator().make(begun.options as { challenge: string })
    expect(await addKey(browser, { proof: begun.proof, passkey: late2 })).toMatchObject(stale)
  })

  test('one that somebody else has, and one with another id than its own, are refused', async () => {
    const { authenticator } = await personWith(keyRole)
    const { user, browser } = await signedIn({}, ['credentials', 'email_code'])
    const first = (await startKey(browser)).body
    const copied = authenticator.make(first.options as { challenge: string })
    expect(await addKey(browser, { proof: first.proof, passkey: copied })).toMatchObject({
      status: 409,
      body: { code: 'passkeyKnown' },
    })
    const second = (await startKey(browser)).body
    const made = new Authenticator().make(second.options as { challenge: string })
    const id = new Authenticator().credentialId
    expect((await addKey(browser, { proof: second.proof, passkey: { ...made, id, rawId: id } })).status).toBe(400)
    expect(await rowsOf(user.id)).toEqual([])
  })

  test('there are at most twenty', async () => {
    const { user, browser } = await signedIn({}, ['credentials', 'email_code'])
    for (let n = 0; n < 19; n++) await giveKey(user.id)
    const started = await thirty(async () => (await startKey(browser)).body)
    const answers = await Promise.all(
      started.map(({ proof, options }) =>
        addKey(browser, { proof, passkey: new Authenticator().make(options as { challenge: string }) }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await rowsOf(user.id)).toHaveLength(20)
    expect(await startKey(browser)).toMatchObject({ status: 409, body: { code: 'passkeyLimit' } })
  })

  test('removing one asks for what adding one asks for; then it signs nobody in', async () => {
    const { user, browser } = await signedIn({ mobile: null })
    const authenticator = await giveKey(user.id)
    const [row] = await rowsOf(user.id)
    const id = row?.id ?? ''
    // whoever has the password alone takes no passkey away
    expect(await removeKey(browser, id)).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'code', code: 'errorCodeNeeded' }] } },
    })
    await makeOld(user.id)
    expect(await removeKey(browser, id, { password: 'wrong', code: '0000' })).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'password', code: 'errorActual' }] } },
    })
    const { browser: other } = await signedIn({}, ['credentials', 'email_code'])
    expect(await removeKey(other, id)).toMatchObject({ status: 404 })
    await browser.send(requestOwnCode, 'POST')
    const proofs = { password, code: await lastCodeTo(user.email ?? '') }
    expect(await removeKey(browser, id, proofs)).toMatchObject({ status: 200 })
    expect(await mailsTo(user.id, 'passkeyRemoved')).toHaveLength(1)
    expect(await signInByKey(new Browser(), authenticator)).toMatchObject(refused('errorPasskeyUnknown'))
  })

  test('who has nothing but a password and a passkey proves the passkey in place', async () => {
    const { user, browser } = await signedIn({ email: null, mobile: null })
    const authenticator = await giveKey(user.id)
    expect((await ownKeys(browser)).body).toMatchObject({ needs: ['passkey'] })
    expect(await startKey(browser)).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'passkey', code: 'errorEmpty' }] } },
    })
    const stranger = await personWith(keyRole)
    const challenge = await challengeOf(browser)
    expect(await startKey(browser, { passkey: stranger.authenticator.sign({ challenge }) })).toMatchObject(refused())
    const unknown = new Authenticator().sign({ challenge })
    expect(await startKey(browser, { passkey: unknown })).toMatchObject(refused('errorPasskeyUnknown'))
    const passkey = authenticator.sign({ challenge: await challengeOf(browser) })
    expect((await startKey(browser, { passkey })).status).toBe(200)
    expect(await startKey(browser, { passkey })).toMatchObject(refused())
  })

  test('a session by a passkey needs nothing more, as long as the passkey is there', async () => {
    const { user } = await signedIn()
    const browser = new Browser()
    await signInByKey(browser, await giveKey(user.id))
    await giveKey(user.id)
    expect((await ownKeys(browser)).body).toMatchObject({ needs: [] })
    const [row] = await rowsOf(user.id)
    await db()
      .delete(passkeys)
      .where(eq(passkeys.id, row?.id ?? ''))
    expect((await ownKeys(browser)).body).toMatchObject({ needs: ['password', 'code'] })
  })

  test('the only way in stays, also if both of two are removed at once', async () => {
    const { user } = await signedIn({ passwordHash: null, mobile: null })
    const browser = new Browser()
    await signInByKey(browser, await giveKey(user.id))
    const remove = async () => Promise.all((await rowsOf(user.id)).map(({ id }) => removeKey(browser, id)))
    expect(await remove()).toMatchObject([{ status: 409, body: { code: 'passkeyOnlyWay' } }])
    await giveKey(user.id)
    const answers = (await remove()).map(({ status }) => status).sort()
    expect(answers).not.toEqual([200, 200])
    expect((await rowsOf(user.id)).length).toBeGreaterThan(0)
  })
})

test('a deleted account leaves none', async () => {
  const { user } = await personWith(keyRole)
  expect(await rowsOf(user.id)).toHaveLength(1)
  await db().delete(users).where(eq(users.id, user.id))
  expect(await rowsOf(user.id)).toEqual([])
})
