import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, passkeys, sessions } from '@/db/schema'
import { requestFactorsCode } from '@/lib/my-account/factors/contract'
import { addPasskey } from '@/lib/my-account/passkeys/service'
import { thirty } from '../../factories/at-once'
import { giveApp, startApp } from '../../factories/authenticator'
import { Browser } from '../../factories/browser'
import { contextOf } from '../../factories/invitations'
import { lastCodeTo } from '../../factories/messages'
import {
  Authenticator,
  addKey,
  challengeOf,
  giveKey,
  makeKey,
  ownKeys,
  removeKey,
  signInByKey,
  startKey,
} from '../../factories/passkey'
import { mailsTo } from '../../factories/recovery'
import { handlerOf } from '../../factories/routes'
import { signedInStatus, startSessionOf } from '../../factories/sign-in'
import { codeOf } from '../../factories/totp'
import { createRole, createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const requestOwnCode = handlerOf(requestFactorsCode)

let keyRole: string
beforeAll(async () => {
  keyRole = await createRole({ firstFactor: ['credentials', 'passkey'], secondFactor: [] })
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
const refused = (code = 'errorPasskey') => ({
  status: 400,
  body: { code, data: { errorList: [{ field: 'passkey', code }] } },
})
const longAgo = { createdAt: new Date(Date.now() - 16 * 60_000) }
const makeOld = (userId: string) => db().update(sessions).set(longAgo).where(eq(sessions.userId, userId))

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
    const elsewhere = new Browser()
    await startSessionOf(elsewhere, user.id)
    const proofs = { password, code: await lastCodeTo(user.email ?? '') }
    expect(await removeKey(browser, id, proofs)).toMatchObject({ status: 200 })
    // whoever has it may be signed in with it
    expect([await signedInStatus(browser), await signedInStatus(elsewhere)]).toEqual([200, 401])
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
    for (const signature of [stranger.authenticator.sign({ challenge }), unknown])
      expect((await startApp(browser, { passkey: signature })).status).toBe(400)
    const forApp = authenticator.sign({ challenge: await challengeOf(browser) })
    expect((await startApp(browser, { passkey: forApp })).status).toBe(200)
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
