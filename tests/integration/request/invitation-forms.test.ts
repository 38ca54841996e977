import { randomUUID } from 'node:crypto'
import { count, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { invitations, users } from '@/db/schema'
import { Browser } from '../../factories/browser'
import { plantInvitation } from '../../factories/companies'
import { accountOf, newMobile, past, rolesOf, setInvitation, signedIn, wrong } from '../../factories/invitation-calls'
import { lastCodeTo } from '../../factories/messages'
import { openPage, post } from '../../factories/page-forms'
import { newPassword } from '../../factories/registration'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const sessionCookie = 'platform-session'
type Fields = Record<string, string>
type Planted = Awaited<ReturnType<typeof plantInvitation>>
const pathOf = ({ guid }: Planted) => `/platform/invitation/${guid}`
const stateOf = async ({ id }: Planted) =>
  (await db().select().from(invitations).where(eq(invitations.id, id)))[0]?.status
const accountsOf = async (email: string) =>
  (await db().select({ rows: count() }).from(users).where(eq(users.email, email)))[0]?.rows

/** All that the form asks of somebody new. */
const join = { form: 'join', fio: 'Новикова Ольга Игоревна', password: newPassword, repeatPassword: newPassword }

let browser: Browser
let planted: Planted
beforeEach(async () => {
  browser = new Browser()
  planted = await plantInvitation()
})
const send = (fields: Record<string, string | string[]>, step = '', own = browser) =>
  post(own, `${pathOf(planted)}${step}`, fields)

async function prove(mobile: string) {
  expect((await send({ form: 'mobile', country: 'RU', mobile })).to).toBe(`${pathOf(planted)}?step=code`)
  return send({ form: 'code', mobile, code: await lastCodeTo(mobile) }, '?step=code')
}

describe('an invitation is answered by forms alone', () => {
  test('by somebody new: a mobile, its code, and the form, which says all that is wrong at once', async () => {
    const path = pathOf(planted)
    const mobile = newMobile()
    await send({ form: 'mobile', country: 'RU', mobile })
    const refused = await send({ form: 'code', mobile, code: wrong(await lastCodeTo(mobile)) }, '?step=code')
    expect(refused).toMatchObject({
      to: `${path}?step=code`,
      outcome: { data: { errorList: [{ code: 'errorCode' }] } },
    })
    const proven = await send({ form: 'code', mobile, code: await lastCodeTo(mobile) }, '?step=code')
    expect(proven).toMatchObject({ to: `${path}?step=person`, outcome: null })
    const typed = { form: 'join', mobile, fio: '', password: 'abc', repeatPassword: '' }
    const { to, outcome } = await send({ ...typed, document: 'terms 2' }, '?step=person')
    expect(to).toBe(`${path}?step=person`)
    expect(outcome?.data.errorList).toEqual([
      { field: 'fio', code: 'errorEmpty' },
      { field: 'password', code: 'errorPasswordRules' },
      { field: 'repeatPassword', code: 'errorEmpty' },
      { field: 'terms-terms', code: 'errorTerms' },
    ])
    expect(outcome?.values).toEqual([
      ['mobile', mobile],
      ['fio', ''],
    ])
    const done = await send({ ...join, mobile }, '?step=person')
    expect(done).toMatchObject({ status: 303, outcome: null })
    expect(browser.cookies.has(sessionCookie)).toBe(true)
    const account = await accountOf(planted.email)
    expect(account).toMatchObject({ mobile, fio: 'Новикова Ольга Игоревна' })
    expect(await rolesOf(account?.id ?? '')).toHaveLength(1)
    expect(await stateOf(planted)).toBe('success')
  })

  test('another number takes the place of a proven one', async () => {
    const [first, second] = [newMobile(), newMobile()]
    await prove(first)
    expect((await prove(second)).to).toBe(`${pathOf(planted)}?step=person`)
    const old = await send({ ...join, mobile: first }, '?step=person')
    expect(old.outcome?.data).toMatchObject({ errorList: [{ field: 'mobile', code: 'errorMobileUnverified' }] })
    await send({ ...join, mobile: second }, '?step=person')
    expect(await accountOf(planted.email)).toMatchObject({ mobile: second })
  })

  test('the names of the call are those of the form', async () => {
    const { outcome } = await send({ ...join, fio: 'x'.repeat(300) }, '?step=person')
    expect(outcome?.data).toMatchObject({ errorList: [{ field: 'fio', code: 'errorTooLong' }] })
    expect(await accountsOf(planted.email)).toBe(0)
  })

  test('by the account that is signed in; a stranger can only sign out', async () => {
    const { user, browser: theirs } = await signedIn()
    planted = await plantInvitation({ email: user.email })
    const answer = await send({ form: 'accept' }, '', theirs)
    expect(answer.status).toBe(303)
    expect(await stateOf(planted)).toBe('success')
    planted = await plantInvitation()
    for (const form of ['accept', 'decline', 'join'])
      expect(await send({ ...join, form }, '', theirs), form).toMatchObject({ to: pathOf(planted), outcome: null })
    expect(await stateOf(planted)).toBe('active')
    await post(theirs, '/platform/sign-out', { form: 'signOut', back: pathOf(planted) })
    expect(theirs.cookies.has(sessionCookie)).toBe(false)
  })

  test('an account that isn’t signed in is led back to the page, which says so', async () => {
    const { user } = await signedIn()
    planted = await plantInvitation({ email: user.email })
    const forms: Fields[] = [{ form: 'accept' }, join, { form: 'mobile', country: 'RU', mobile: newMobile() }]
    for (const fields of forms)
      expect(await send(fields), fields.form).toMatchObject({ to: pathOf(planted), outcome: null })
    expect(await stateOf(planted)).toBe('active')
    expect(await send({ form: 'decline' }, '?step=decline')).toMatchObject({ to: pathOf(planted), outcome: null })
    expect(await stateOf(planted)).toBe('refusal')
  })

  test('a dead link leads to its page, which says why', async () => {
    for (const dead of [
      { status: 'success' },
      { status: 'refusal' },
      { status: 'deleted' },
      { status: 'active', expiresAt: past() },
    ] as const) {
      await setInvitation(planted.id, dead)
      const forms: Fields[] = [
        { form: 'mobile', country: 'RU', mobile: newMobile() },
        { form: 'code', mobile: newMobile(), code: '1234' },
        { form: 'accept' },
        { form: 'decline' },
        join,
      ]
      for (const fields of forms)
        expect(await send(fields), `${fields.form} ${dead.status}`).toMatchObject({
          to: pathOf(planted),
          outcome: null,
        })
      expect(await stateOf(planted)).toBe(dead.status)
    }
    expect(await accountsOf(planted.email)).toBe(0)
    const unknown = `/platform/invitation/${randomUUID()}`
    expect(await post(browser, unknown, join)).toMatchObject({ to: unknown, outcome: null })
  })
})

describe('a form that was not sent as its page was drawn', () => {
  const attacks: Record<string, (fields: Record<string, string>) => ReturnType<typeof post>> = {
    'without a token': (fields) => post(browser, pathOf(planted), fields, { token: '' }),
    'with the token of another browser': (fields) =>
      post(browser, pathOf(planted), fields, { token: openPage(new Browser()) }),
    'with a token that was sent before': async (fields) => {
      const token = openPage(browser)
      await post(browser, pathOf(planted), { form: 'mobile', mobile: '' }, { token })
      return post(browser, pathOf(planted), fields, { token })
    },
    'from another site': (fields) =>
      post(browser, pathOf(planted), fields, {
        headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      }),
    'from a sister domain': (fields) =>
      post(browser, pathOf(planted), fields, {
        headers: { 'sec-fetch-site': 'same-site', origin: 'http://other.localhost:3000' },
      }),
    'as a form of a registration': (fields) => send({ ...fields, form: 'complete' }),
    'as a form of every object': (fields) => send({ ...fields, form: 'toString' }),
    'with a field of 70 000 characters': (fields) => send({ ...fields, note: 'x'.repeat(70_000) }),
  }
  test.each(Object.entries(attacks))('%s answers nothing', async (_, attack) => {
    for (const fields of [join, { form: 'decline' }]) {
      const { status } = await attack(fields)
      expect([303, 403]).toContain(status)
      expect(await stateOf(planted)).toBe('active')
      expect(await accountsOf(planted.email)).toBe(0)
    }
  })

  test('thirty clicks make one account, and accepting and declining at once has one end', async () => {
    const token = openPage(browser)
    const answers = await Promise.all(Array.from({ length: 30 }, () => post(browser, pathOf(planted), join, { token })))
    expect(new Set(answers.map(({ to }) => to)).size).toBe(1)
    expect(await accountsOf(planted.email)).toBe(1)
    planted = await plantInvitation()
    const [joined] = await Promise.all([send(join), send({ form: 'decline' }, '', new Browser())])
    expect(await accountsOf(planted.email)).toBe((await stateOf(planted)) === 'success' ? 1 : 0)
    expect(joined.outcome).toBeNull()
  })
})
