import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, oidcRecords, userIdentifiers, users } from '@/db/schema'
import { providers } from '@/db/schema/people'
import { requestDeletionCode } from '@/lib/my-account/deletion/contract'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { passResend, wrong } from '../../factories/codes'
import { lastCodeTo, lastMessageTo } from '../../factories/messages'
import { ownAccount, remove } from '../../factories/own-account'
import { signedInStatus, signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const faultOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => {
  const { errorList = [] } = (body.data ?? {}) as { errorList?: { field: string; code: string }[] }
  return [status, errorList[0]?.field ?? null, errorList[0]?.code ?? body.code]
}
const isThere = async (id: string) => (await db().select().from(users).where(eq(users.id, id))).length === 1
const asked = async (caller: Caller, to: string) => {
  await passResend()
  await caller.send(requestDeletionCode)
  return lastCodeTo(to)
}

describe('a person deletes their account', () => {
  test('by login and password: sessions, tokens and identifiers are gone, a mail says so', async () => {
    const { user, caller } = await ownAccount()
    const other = new Browser()
    await signInByPassword(other, user.login, password)
    const record = { payload: 'x', accountId: user.id, clientId: 'c', expiresAt: new Date(Date.now() + 1e6) }
    await db()
      .insert(oidcRecords)
      .values(['Grant', 'RefreshToken', 'AccessToken'].map((model) => ({ ...record, model, idHash: randomUUID() })))
    const { status } = await remove(caller, { login: user.login.toUpperCase(), password })
    expect(status).toBe(200)
    expect(await isThere(user.id)).toBe(false)
    expect([await signedInStatus(caller.browser), await signedInStatus(other)]).toEqual([401, 401])
    expect(await db().select().from(oidcRecords).where(eq(oidcRecords.accountId, user.id))).toEqual([])
    expect(await db().select().from(userIdentifiers).where(eq(userIdentifiers.userId, user.id))).toEqual([])
    expect((await signInByPassword(new Browser(), user.login, password)).status).toBe(400)
    expect((await lastMessageTo(user.email))?.template).toBe('accountDeleted')
  })

  test('the history of the deletion keeps the id and no name', async () => {
    const { user, caller } = await ownAccount()
    await remove(caller, { login: user.login, password })
    const rows = await db().select().from(history).where(eq(history.entityId, user.id))
    const deletion = rows.filter(({ type }) => type === 'delete')
    expect(deletion).toMatchObject([{ field: null, previous: null, current: null, changerId: user.id }])
    expect(JSON.stringify(deletion)).not.toContain(user.lastName)
  })

  test('by a code to the main contact', async () => {
    const { user, caller } = await ownAccount()
    const digits = await asked(caller, user.email)
    expect(faultOf(await remove(caller, { login: user.login, code: wrong(digits) }))).toEqual([
      400,
      'code',
      'errorCode',
    ])
    expect((await remove(caller, { login: user.login, code: digits })).status).toBe(200)
    expect(await isThere(user.id)).toBe(false)
  })

  test.each([
    ['another login', { login: 'somebody', password }, [400, 'login', 'errorConfirmation']],
    ['a wrong password', { password: 'Wrong-horse-7' }, [400, 'password', 'errorActual']],
    ['neither password nor code', {}, [400, 'password', 'errorEmpty']],
    ['a code that was never sent', { code: '1234' }, [400, 'code', 'errorCodeExpired']],
  ])('with %s it is refused, and the account stays', async (_, body, expected) => {
    const { user, caller } = await ownAccount()
    expect(faultOf(await remove(caller, { login: user.login, ...body }))).toEqual(expected)
    expect(await isThere(user.id)).toBe(true)
    expect(await signedInStatus(caller.browser)).toBe(200)
  })

  test('a code for something else deletes nothing, and too many wrong ones end it', async () => {
    const { user, caller } = await ownAccount()
    const digits = await asked(caller, user.email)
    const other = await ownAccount()
    expect(faultOf(await remove(other.caller, { login: other.user.login, code: digits }))[2]).toBe('errorCodeExpired')
    for (let n = 0; n < 5; n++) await remove(caller, { login: user.login, code: wrong(digits) })
    expect(faultOf(await remove(caller, { login: user.login, code: digits }))[2]).toBe('errorCodeAttempts')
    expect(await isThere(user.id)).toBe(true)
  })

  test('wrong passwords are limited like those of a sign-in', async () => {
    const { user, caller } = await ownAccount()
    const statuses = []
    for (let n = 0; n < 5; n++)
      statuses.push((await remove(caller, { login: user.login, password: `Wrong-horse-${n}` })).status)
    expect(statuses).toEqual([400, 400, 400, 400, 429])
    expect((await remove(caller, { login: user.login, password })).body.code).toBe('tooManyAttempts')
    expect(await isThere(user.id)).toBe(true)
  })

  test('neither one of a directory, nor a locked one', async () => {
    const { user, caller } = await ownAccount()
    await db().update(users).set({ isEditable: false }).where(eq(users.id, user.id))
    expect(faultOf(await remove(caller, { login: user.login, password }))[2]).toBe('profileReadOnly')
    expect(faultOf(await caller.send(requestDeletionCode))[2]).toBe('profileReadOnly')
    const [provider] = await db()
      .insert(providers)
      .values({ type: 'keycloak', name: user.login, url: 'https://d.example', clientId: 'x', clientSecret: 'x' })
      .returning()
    await db()
      .update(users)
      .set({ isEditable: true, providerId: provider?.id ?? null })
      .where(eq(users.id, user.id))
    expect(faultOf(await remove(caller, { login: user.login, password }))).toEqual([405, null, 'directoryAccount'])
    expect(faultOf(await caller.send(requestDeletionCode))).toEqual([405, null, 'directoryAccount'])
    expect(await isThere(user.id)).toBe(true)
  })

  test('without a contact there is no code', async () => {
    const { user, caller } = await ownAccount()
    await db().update(users).set({ email: null, mobile: null }).where(eq(users.id, user.id))
    expect(faultOf(await caller.send(requestDeletionCode))).toEqual([409, null, 'errorNoContact'])
  })

  test('a day has as many codes as its limit says', async () => {
    const { caller } = await ownAccount()
    const answers = []
    for (let n = 0; n < 11; n++) {
      await passResend()
      answers.push(faultOf(await caller.send(requestDeletionCode))[2])
    }
    expect(answers.at(-1)).toBe('codeDailyLimit')
  })

  test('the last administrators can’t go, however many of them try at once', async () => {
    await db().update(users).set({ enabled: false })
    const admins = await Promise.all(
      [1, 2, 3].map(async () => {
        const user = await createUser({ roles: ['administrator'] })
        const browser = new Browser()
        await signInByPassword(browser, user.login, password)
        return { user, caller: new Caller(browser) }
      }),
    )
    const answers = await Promise.all(admins.map(({ user, caller }) => remove(caller, { login: user.login, password })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('lastAdministrator')
  })

  test('of thirty at once one deletes', async () => {
    const { user, caller } = await ownAccount()
    const answers = await thirty(() => remove(caller, { login: user.login, password }))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 401, 404, 429].includes(status))).toBe(true)
  })
})
