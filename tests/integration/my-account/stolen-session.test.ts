import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { sessions, users } from '@/db/schema'
import { requestContactCode, verifyContact } from '@/lib/my-account/contact-details/contract'
import { requestDeletionCode } from '@/lib/my-account/deletion/contract'
import { requestPasswordCode } from '@/lib/my-account/password/contract'
import { compose } from '@/lib/wiring/compose'
import { Browser } from '../../factories/browser'
import type { Caller } from '../../factories/caller'
import { passResend, wrong } from '../../factories/codes'
import { lastCodeTo } from '../../factories/messages'
import {
  change,
  codeFor,
  contactsOf,
  freshEmail,
  freshMobile,
  nextPassword,
  ownAccount,
  remove,
  save,
  verify,
} from '../../factories/own-account'
import { caseNumbers } from '../../factories/random-cases'
import { signInByPassword } from '../../factories/sign-in'
import { password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'
import { eachFifth } from '../../setup/scope'

useTestDatabase()
beforeAll(() => compose())

type Answer = { status: number; body: Record<string, unknown> }
const faultOf = ({ status, body }: Answer) => {
  const { errorList = [] } = (body.data ?? {}) as { errorList?: { field: string; code: string }[] }
  return [status, errorList[0]?.field ?? null, errorList[0]?.code ?? body.code]
}
const rowOf = async (id: string) => (await db().select().from(users).where(eq(users.id, id)))[0]

/** A person whose session began before so many minutes. */
async function signedInBefore(minutes: number) {
  const person = await ownAccount()
  const createdAt = new Date(Date.now() - minutes * 60_000)
  await db().update(sessions).set({ createdAt }).where(eq(sessions.userId, person.user.id))
  return person
}
const prove = (caller: Caller, value: string, code: string, more: object) =>
  caller.send(verifyContact, { body: { kind: 'email', value, code, main: true, ...more } })

describe('a session that is older than 15 minutes', () => {
  test('makes a contact the main one with the password alone, and a refusal costs no code', async () => {
    const { user, caller } = await signedInBefore(16)
    const value = freshEmail()
    const code = await codeFor(caller, 'email', value)
    expect(faultOf(await prove(caller, value, code, {}))).toEqual([400, 'password', 'errorPasswordNeeded'])
    expect(faultOf(await prove(caller, value, code, { password: 'Wrong-horse-7' }))).toEqual([
      400,
      'password',
      'errorActual',
    ])
    expect((await rowOf(user.id))?.email).toBe(user.email)
    expect((await contactsOf(caller)).emails).toHaveLength(1)
    expect((await prove(caller, value, code, { password })).status).toBe(200)
    expect((await rowOf(user.id))?.email).toBe(value)
  })

  test('can’t try passwords there without end', async () => {
    const { user, caller } = await signedInBefore(16)
    const value = freshEmail()
    const code = await codeFor(caller, 'email', value)
    const statuses = []
    for (let n = 0; n < 6; n++)
      statuses.push((await prove(caller, value, code, { password: `Wrong-horse-${n}` })).status)
    expect(statuses).toEqual([400, 400, 400, 400, 429, 429])
    expect((await prove(caller, value, code, { password })).body.code).toBe('tooManyAttempts')
    expect((await rowOf(user.id))?.email).toBe(user.email)
  })

  test('makes none the main one by a save, however lately it was proven', async () => {
    const { user, caller } = await signedInBefore(16)
    const value = freshEmail()
    expect((await verify(caller, 'email', value, await codeFor(caller, 'email', value))).status).toBe(200)
    const emails = [{ value: user.email }, { value, main: true }]
    expect(faultOf(await save(caller, { emails }))).toEqual([400, 'contacts.emails.1.value', 'errorContactUnproven'])
    expect((await rowOf(user.id))?.email).toBe(user.email)
  })

  test('of an account without a password asks to sign in again', async () => {
    const { user, caller } = await signedInBefore(16)
    await db().update(users).set({ passwordHash: null }).where(eq(users.id, user.id))
    const value = freshEmail()
    const code = await codeFor(caller, 'email', value)
    expect(faultOf(await prove(caller, value, code, {}))).toEqual([403, null, 'signInAgain'])
    expect(faultOf(await prove(caller, value, code, { password }))).toEqual([403, null, 'signInAgain'])
    expect((await rowOf(user.id))?.email).toBe(user.email)
  })

  test('still proves the present main contact, and adds others', async () => {
    const { user, caller } = await signedInBefore(16)
    expect((await verify(caller, 'email', user.email, await codeFor(caller, 'email', user.email), true)).status).toBe(
      200,
    )
    const value = freshMobile()
    expect((await verify(caller, 'mobile', value, await codeFor(caller, 'mobile', value))).status).toBe(200)
  })
})

test('a younger one needs no password', async () => {
  const { user, caller } = await signedInBefore(14)
  const value = freshEmail()
  expect((await verify(caller, 'email', value, await codeFor(caller, 'email', value), true)).status).toBe(200)
  expect((await rowOf(user.id))?.email).toBe(value)
})

const random = caseNumbers(20_261_124)

test.each(eachFifth([1, 2, 3]))(
  'whoever has the session and mailboxes of their own never gets the account, in any order of calls (%s)',
  async () => {
    const { user, caller } = await signedInBefore(20)
    const before = await rowOf(user.id)
    const contact = { email: freshEmail(), mobile: freshMobile() }
    const codes: { kind: 'email' | 'mobile'; value: string; code: string }[] = []
    const kindOf = () => (random(2) ? 'email' : 'mobile') as 'email' | 'mobile'
    const someCode = () =>
      codes[random(Math.max(1, codes.length))] ?? { kind: 'email' as const, value: contact.email, code: '0000' }
    const acts: (() => Promise<unknown>)[] = [
      async () => {
        const kind = kindOf()
        await passResend()
        const { status } = await caller.send(requestContactCode, { body: { kind, value: contact[kind] } })
        if (status === 200) codes.push({ kind, value: contact[kind], code: await lastCodeTo(contact[kind]) })
      },
      async () => {
        const { kind, value, code } = someCode()
        await verify(caller, kind, value, code, true)
      },
      async () => {
        const { kind, value, code } = someCode()
        await verify(caller, kind, value, code, random(2) === 1)
      },
      () =>
        save(caller, {
          emails: [
            { value: user.email, main: !random(2) },
            { value: contact.email, main: true },
          ],
        }),
      () => save(caller, { mobiles: [{ value: user.mobile }, { value: contact.mobile, main: true }] }),
      () =>
        save(caller, {
          emails: [{ value: contact.email, main: true }],
          mobiles: [{ value: contact.mobile, main: true }],
        }),
      () => change(caller, { password: nextPassword, rePassword: nextPassword, code: someCode().code }),
      () => caller.send(requestPasswordCode),
      () => caller.send(requestDeletionCode),
      () => remove(caller, { login: user.login, code: random(2) ? someCode().code : wrong(someCode().code) }),
    ]
    for (let n = 0; n < 60; n++) await acts[random(acts.length)]?.()
    const after = await rowOf(user.id)
    const signInData = ({ email, mobile, passwordHash, login, enabled }: NonNullable<typeof after>) => ({
      ...{ email, mobile, passwordHash, login, enabled },
    })
    expect(after && signInData(after)).toEqual(before && signInData(before))
    expect((await signInByPassword(new Browser(), user.email, password, 'email')).status).toBe(200)
  },
)
