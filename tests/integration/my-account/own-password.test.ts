import { and, eq, isNull } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, sessions, users } from '@/db/schema'
import { providers } from '@/db/schema/people'
import { requestPasswordCode } from '@/lib/my-account/password/contract'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { passResend, wrong } from '../../factories/codes'
import { lastCodeTo, lastMessageTo } from '../../factories/messages'
import { change, nextPassword, ownAccount } from '../../factories/own-account'
import { signedInStatus, signInByPassword } from '../../factories/sign-in'
import { password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const faultOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => {
  const { errorList = [] } = (body.data ?? {}) as { errorList?: { field: string; code: string }[] }
  return [status, errorList[0]?.field ?? null, errorList[0]?.code ?? body.code]
}
const passwordChange = { actual: password, password: nextPassword, rePassword: nextPassword }
const hashOf = async (id: string) => (await db().select().from(users).where(eq(users.id, id)))[0]?.passwordHash
const liveSessions = (id: string) =>
  db()
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, id), isNull(sessions.endedAt)))

async function withoutPassword() {
  const person = await ownAccount()
  await db().update(users).set({ passwordHash: null }).where(eq(users.id, person.user.id))
  return person
}
async function codeTo({ user, caller }: Awaited<ReturnType<typeof ownAccount>>) {
  await passResend()
  const { status } = await caller.send(requestPasswordCode)
  if (status !== 200) throw new Error(`no code: ${status}`)
  return lastCodeTo(user.email)
}

describe('a person changes their password', () => {
  test('other sessions end, this one stays, a mail says so, and the history keeps no secret', async () => {
    const { user, caller } = await ownAccount()
    const other = new Browser()
    await signInByPassword(other, user.login, password)
    expect(await change(caller, passwordChange)).toMatchObject({ status: 200 })
    expect(await signedInStatus(caller.browser)).toBe(200)
    expect(await signedInStatus(other)).toBe(401)
    expect((await lastMessageTo(user.email))?.template).toBe('passwordChanged')
    expect((await signInByPassword(new Browser(), user.login, nextPassword)).status).toBe(200)
    expect((await signInByPassword(new Browser(), user.login, password)).status).toBe(400)
    const rows = await db().select().from(history).where(eq(history.entityId, user.id))
    const row = rows.find(({ field }) => field === 'password')
    expect({ previous: row?.previous, current: row?.current, changerId: row?.changerId }).toEqual({
      previous: '***',
      current: '***',
      changerId: user.id,
    })
  })

  test.each([
    ['a wrong present one', { actual: 'Wrong-horse-7' }, 'actual', 'errorActual'],
    ['no present one', { actual: undefined }, 'actual', 'errorEmpty'],
    ['another repeat', { rePassword: 'Violet-lantern-43' }, 'password', 'errorMatch'],
    ['a weak one', { password: 'abc', rePassword: 'abc' }, 'password', 'errorPasswordRules'],
    ['a leaked one', { password: 'P@ssw0rd1', rePassword: 'P@ssw0rd1' }, 'password', 'errorPasswordBreached'],
    ['the present one', { password, rePassword: password }, 'password', 'errorPasswordRecent'],
    ['a code', { code: '1234' }, 'code', 'errorUnknownField'],
  ])('with %s it is refused, and nothing changes', async (_, more, field, fault) => {
    const { user, caller } = await ownAccount()
    const before = await hashOf(user.id)
    expect(faultOf(await change(caller, { ...passwordChange, ...more }))).toEqual([400, field, fault])
    expect(await hashOf(user.id)).toBe(before)
  })

  test('one that consists of personal words is refused', async () => {
    const { user, caller } = await ownAccount()
    const personal = `${user.login}A1`
    const answer = await change(caller, { ...passwordChange, password: personal, rePassword: personal })
    expect(faultOf(answer)[2]).toMatch(/errorPassword(Personal|Rules)/)
    const local = `${user.email.split('@')[0]}-Aa1`
    expect(faultOf(await change(caller, { ...passwordChange, password: local, rePassword: local }))[2]).toBe(
      'errorPasswordPersonal',
    )
  })

  test('a session alone doesn’t learn whether a password is the present one', async () => {
    const { caller } = await ownAccount()
    const tried = (typed: string, rePassword = typed) =>
      change(caller, { actual: 'Wrong-horse-7', password: typed, rePassword })
    expect(faultOf(await tried(password))).toEqual(faultOf(await tried(nextPassword)))
    expect(faultOf(await tried(password, 'x'))[2]).not.toBe('errorPasswordRecent')
  })

  test('wrong present passwords count against the account, as at sign-in', async () => {
    const { user, caller } = await ownAccount()
    const answers = []
    for (let n = 0; n < 6; n++) answers.push(await change(caller, { ...passwordChange, actual: `Wrong-horse-${n}` }))
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 429, 429])
    expect(answers.at(-1)?.body.code).toBe('tooManyAttempts')
    const right = await change(caller, passwordChange)
    expect(right.status).toBe(429)
    expect(await hashOf(user.id)).toBe(user.passwordHash)
  })

  test('of thirty at once one is the new one', async () => {
    const { user, caller } = await ownAccount()
    const answers = await thirty((n) => {
      const fresh = `Violet-lantern-${n}-x`
      return change(caller, { actual: password, password: fresh, rePassword: fresh })
    })
    const won = answers.flatMap(({ status }, n) => (status === 200 ? [n] : []))
    expect(won).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 400, 409, 429].includes(status))).toBe(true)
    expect(answers.some(({ body }) => body.code === 'conflict' || body.code === 'tooManyAttempts')).toBe(true)
    expect((await signInByPassword(new Browser(), user.login, `Violet-lantern-${won[0]}-x`)).status).toBe(200)
  })

  test('in a directory it is refused', async () => {
    const { user, caller } = await ownAccount()
    const [provider] = await db()
      .insert(providers)
      .values({ type: 'keycloak', name: user.login, url: 'https://d.example', clientId: 'x', clientSecret: 'x' })
      .returning()
    await db()
      .update(users)
      .set({ providerId: provider?.id ?? null })
      .where(eq(users.id, user.id))
    expect(faultOf(await change(caller, passwordChange))).toEqual([405, null, 'directoryAccount'])
    expect(faultOf(await caller.send(requestPasswordCode))).toEqual([405, null, 'directoryAccount'])
  })
})

describe('an account without a password', () => {
  const first = { password: nextPassword, rePassword: nextPassword }

  test('sets one by a code that went to its main contact', async () => {
    const person = await withoutPassword()
    const digits = await codeTo(person)
    expect(faultOf(await change(person.caller, { ...first, code: wrong(digits) }))).toEqual([400, 'code', 'errorCode'])
    expect(faultOf(await change(person.caller, { ...first, actual: password }))).toEqual([
      400,
      'actual',
      'errorUnknownField',
    ])
    expect(await hashOf(person.user.id)).toBeNull()
    expect((await change(person.caller, { ...first, code: digits })).status).toBe(200)
    expect((await signInByPassword(new Browser(), person.user.login, nextPassword)).status).toBe(200)
    expect(await liveSessions(person.user.id)).toHaveLength(2)
  })

  test('a weak password costs no code', async () => {
    const person = await withoutPassword()
    const digits = await codeTo(person)
    const weak = await change(person.caller, { password: 'abc', rePassword: 'abc', code: digits })
    expect(faultOf(weak)[2]).toBe('errorPasswordRules')
    expect((await change(person.caller, { ...first, code: digits })).status).toBe(200)
  })

  test('without a code, with a used or a foreign one, it is refused', async () => {
    const [person, other] = [await withoutPassword(), await withoutPassword()]
    expect(faultOf(await change(person.caller, first))).toEqual([400, 'code', 'errorEmpty'])
    expect(faultOf(await change(person.caller, { ...first, code: '1234' }))).toEqual([400, 'code', 'errorCodeExpired'])
    const foreign = await codeTo(other)
    expect(faultOf(await change(person.caller, { ...first, code: foreign }))[2]).toBe('errorCodeExpired')
    const digits = await codeTo(person)
    for (let n = 0; n < 5; n++) await change(person.caller, { ...first, code: wrong(digits) })
    expect(faultOf(await change(person.caller, { ...first, code: digits }))).toEqual([400, 'code', 'errorCodeAttempts'])
    expect(await hashOf(person.user.id)).toBeNull()
  })

  test('gets no code if it has a password, or no contact', async () => {
    const { caller } = await ownAccount()
    expect(faultOf(await caller.send(requestPasswordCode))).toEqual([409, null, 'passwordKnown'])
    const person = await withoutPassword()
    await db().update(users).set({ email: null, mobile: null }).where(eq(users.id, person.user.id))
    expect(faultOf(await person.caller.send(requestPasswordCode))).toEqual([409, null, 'errorNoContact'])
  })

  test('has the daily limit of codes', async () => {
    const person = await withoutPassword()
    const answers = []
    for (let n = 0; n < 11; n++) {
      await passResend()
      answers.push(faultOf(await person.caller.send(requestPasswordCode)))
    }
    expect(answers.at(-1)).toEqual([429, null, 'codeDailyLimit'])
  })
})
