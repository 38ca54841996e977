import { and, eq, inArray } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields, users } from '@/db/schema'
import { requiredFieldsEmpty } from '@/lib/accounts/users/service'
import { dropCached } from '@/lib/base/cache/cache'
import { type Answered, Browser } from '../../factories/browser'
import { createAgreement, createDomain, publishVersion } from '../../factories/domains'
import { formOf, look, say } from '../../factories/invitation-calls'
import { invite } from '../../factories/invitations'
import { recoveryLink, setByLink } from '../../factories/recovery'
import { askLink, finish, linkSentTo, newEmail, newPassword, startRegistration } from '../../factories/registration'
import { setSetting } from '../../factories/settings'
import { begin, prove } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const further = ['login', 'birthDate', 'gender', 'locale', 'comment']
const require = async (codes: string[], on = true) => {
  await db()
    .update(dynamicFields)
    .set({ profileVisible: on, profileEdit: on, profileRequired: on })
    .where(and(eq(dynamicFields.type, 'users'), inArray(dynamicFields.code, codes)))
  dropCached('dynamic-fields')
}
const accountOf = async (email: string) => (await db().select().from(users).where(eq(users.email, email)))[0]
const faultsOf = ({ body }: Answered) =>
  (body.data as { errorList?: { field: string; code: string }[] } | undefined)?.errorList ?? []
const english = () => {
  const browser = new Browser()
  browser.cookies.set('locale', 'en')
  return browser
}

afterEach(async () => {
  await require(further, false)
  await setSetting('useUserFio', true)
})

describe('a field of a form that isn’t needed', () => {
  test('may be empty, null or absent at every step of signing in', async () => {
    const user = await createUser()
    for (const empty of ['', null, undefined, ' ']) {
      const browser = new Browser()
      const query: Record<string, string> = typeof empty === 'string' ? { email: empty, mobile: empty } : {}
      expect((await begin(browser, user.login, 'login', query)).status).toBe(200)
      const rest = { email: empty, mobile: empty, username: empty, code: empty, termsAgree: empty === ' ' ? [] : empty }
      expect(await prove(browser, user.login, { ...rest, password })).toMatchObject({
        status: 200,
        body: { next: 'done' },
      })
    }
  })

  test('is refused by its name if it is filled in although another identifier signs in', async () => {
    const user = await createUser()
    const browser = new Browser()
    await begin(browser, user.login)
    const answer = await prove(browser, user.login, { password, email: 'other@polaris.example' })
    expect(answer.status).toBe(400)
    expect(faultsOf(answer)).toEqual([{ field: 'email', code: 'errorUnknownField' }])
  })

  test('may be empty in registration, invitation and recovery, and unknown fields are refused', async () => {
    const browser = new Browser()
    const empties = { firstName: '', lastName: null, middleName: ' ', termsAgree: null }
    const { email, secret } = await startRegistration(browser, newEmail(), empties)
    const rest = { ...empties, fio: '', email: '', mobile: '', code: '', gender: '', birthDate: null, comment: '' }
    expect(faultsOf(await finish(browser, secret, { ...rest, avatar: '' }))).toEqual([
      { field: 'avatar', code: 'errorUnknownField' },
    ])
    expect((await finish(browser, secret, rest)).status).toBe(200)
    expect(await accountOf(email)).toMatchObject({ fio: 'Ковалёва Ольга Игоревна', login: email })

    const invited = await invite()
    const read = (await look(new Browser(), invited.guid)).body as Record<string, unknown>
    const { expiresIn, organizations } = read
    const form = { ...formOf(invited), last_name: '', firstName: '', lastName: '', middleName: null, mobile: '' }
    expect((await say(new Browser(), { ...form, expiresIn, organizations, login: '', email: '' })).status).toBe(200)

    const user = await createUser()
    const link = await recoveryLink(new Browser(), { id: user.id, email: user.email ?? '' })
    expect((await setByLink(new Browser(), link, newPassword, { termsAgree: '' })).status).toBe(200)
  })

  test('of the second step that contradicts the first is refused: the e-mail is that of the link', async () => {
    const browser = new Browser()
    const { email, secret } = await startRegistration(browser)
    expect(faultsOf(await finish(browser, secret, { email: 'other@polaris.example' }))).toEqual([
      { field: 'email', code: 'errorLinkEmail' },
    ])
    expect((await finish(browser, secret, { email: email.toUpperCase() })).status).toBe(200)
  })
})

describe('names', () => {
  const parts = { lastName: 'Kovaleva', firstName: 'Olga', middleName: 'Igorevna' }

  test('are accepted in either form, whatever the forms show, and both are stored as the language writes them', async () => {
    for (const useUserFio of [true, false]) {
      await setSetting('useUserFio', useUserFio)
      for (const [browser, fio] of [
        [new Browser(), 'Kovaleva Olga Igorevna'],
        [english(), 'Olga Igorevna Kovaleva'],
      ] as const)
        for (const names of [{ fio: undefined, ...parts }, { fio }, { ...parts, fio: 'Somebody Else Entirely' }]) {
          const { email, secret } = await startRegistration(browser, newEmail(), names)
          expect((await finish(browser, secret)).status).toBe(200)
          expect(await accountOf(email)).toMatchObject({ ...parts, fio })
          browser.cookies.delete('platform-session')

          const invited = await invite()
          const { lastName, firstName, middleName } = names as Partial<typeof parts>
          const snake = { last_name: lastName, first_name: firstName, middle_name: middleName }
          const guest = fio.startsWith('Olga') ? english() : new Browser()
          expect((await say(guest, formOf(invited, { fio: names.fio, ...snake }))).status).toBe(200)
          expect(await accountOf(invited.email)).toMatchObject({ ...parts, fio })
        }
    }
  })

  test('without a required part are refused by that part', async () => {
    await setSetting('useUserFio', false)
    const asked = await askLink(new Browser(), newEmail(), { fio: 'Ольга' })
    expect(faultsOf(asked)).toEqual([{ field: 'lastName', code: 'errorEmpty' }])
    expect(faultsOf(await say(new Browser(), formOf(await invite(), { fio: 'Ольга' })))).toEqual([
      { field: 'last_name', code: 'errorEmpty' },
    ])
  })

  test('that weren’t required at the first step are asked for at the second', async () => {
    const browser = new Browser()
    const { email, secret } = await startRegistration(browser, newEmail(), { fio: 'Ольга' })
    await setSetting('useUserFio', false)
    expect(faultsOf(await finish(browser, secret))).toEqual([{ field: 'lastName', code: 'errorEmpty' }])
    expect((await finish(browser, secret, { lastName: 'Ким', firstName: 'Ольга' })).status).toBe(200)
    expect(await accountOf(email)).toMatchObject({ fio: 'Ким Ольга', lastName: 'Ким' })
  })
})

describe('required base fields of users_main', () => {
  const filled = { login: 'olga.kim', birthDate: '1990-02-28', gender: 'woman', locale: 'en', comment: 'Склад\nдва' }
  const wrong = { login: 'a b', birthDate: '1990-02-30', gender: 'other', locale: 'xx' }
  const codes = ['errorLogin', 'errorBirthDate', 'errorOption', 'errorOption', 'errorEmpty']
  const each = (code: (n: number) => string) => further.map((field, n) => ({ field, code: code(n) }))

  test('are asked for by the second step of registration and by the invitation, so that no profile begins incomplete', async () => {
    await require(further)
    const browser = new Browser()
    const { email, secret } = await startRegistration(browser)
    const invited = await invite()
    for (const send of [
      (more: object) => finish(browser, secret, { ...more }),
      (more: object) => say(new Browser(), formOf(invited, { ...more })),
    ]) {
      expect(faultsOf(await send({}))).toEqual(each(() => 'errorEmpty'))
      expect(faultsOf(await send(wrong))).toEqual(each((n) => codes[n] ?? ''))
      expect(faultsOf(await send({ ...wrong, comment: '\u0007' }))).toEqual([{ field: 'comment', code: 'errorChars' }])
    }
    expect(await accountOf(email)).toBeUndefined()
    expect((await finish(browser, secret, filled)).status).toBe(200)
    expect((await say(new Browser(), formOf(invited, { ...filled, login: 'olga.kim.two' }))).status).toBe(200)
    for (const address of [email, invited.email]) {
      const account = await accountOf(address)
      expect(account).toMatchObject({ birthDate: '1990-02-28', gender: 'woman', locale: 'en', comment: 'Склад\nдва' })
      expect(await requiredFieldsEmpty(account?.id ?? '')).toEqual([])
    }
  })

  test('that aren’t asked for can’t be filled in', async () => {
    const browser = new Browser()
    const { secret } = await startRegistration(browser)
    expect(faultsOf(await finish(browser, secret, filled))).toEqual(each(() => 'errorUnknownField'))
    // an invitation takes a login in any case
    const invitedFaults = faultsOf(await say(new Browser(), formOf(await invite(), filled)))
    expect(invitedFaults).toEqual(each(() => 'errorUnknownField').filter(({ field }) => field !== 'login'))
  })

  test.each(['1899-12-31', '2999-01-01', '2023-02-29', '0000-00-00', '1990-2-1', '19900201', '1990-02-01T00:00'])(
    'don’t accept %s as a date of birth',
    async (birthDate) => {
      await require(['birthDate'])
      const [fault] = faultsOf(await say(new Browser(), formOf(await invite(), { birthDate })))
      expect(fault).toMatchObject({ field: 'birthDate' })
      expect(['errorBirthDate', 'errorTooLong']).toContain(fault?.code)
    },
  )
})

describe('a wrong field and missing terms', () => {
  test('are answered alike in registration, invitation and recovery: 400 with both, and 403 for the terms alone', async () => {
    const agreement = await createAgreement()
    const host = await createDomain({ agreement })
    const both = (field: string, code: string) => ({
      status: 400,
      body: {
        code: 'errorFields',
        data: {
          termsRequired: [{ id: agreement }],
          errorList: [
            { field, code },
            { field: `termsAgree.${agreement}`, code: 'errorEmpty' },
          ],
        },
      },
    })
    const terms = {
      status: 403,
      body: {
        code: 'termsRequired',
        data: {
          termsRequired: [{ id: agreement }],
          errorList: [{ field: `termsAgree.${agreement}`, code: 'errorEmpty' }],
        },
      },
    }
    const browser = new Browser(host)
    const email = newEmail()
    expect(await askLink(browser, email, { fio: '' })).toMatchObject(both('fio', 'errorEmpty'))
    expect(await askLink(browser, email)).toMatchObject(terms)
    const agreed = { termsAgree: [{ type: agreement, agree: true, version: 1 }] }
    expect((await askLink(browser, email, agreed)).status).toBe(200)
    await publishVersion(agreement, 2)
    const secret = await linkSentTo(email)
    expect(await finish(browser, secret, { mobile: '12' })).toMatchObject(both('mobile', 'errorMobile'))
    expect(await finish(browser, secret)).toMatchObject(terms)

    const invited = await invite()
    expect(await say(browser, formOf(invited, { fio: '' }))).toMatchObject(both('fio', 'errorEmpty'))
    expect(await say(browser, formOf(invited))).toMatchObject(terms)

    const user = await createUser()
    const link = await recoveryLink(browser, { id: user.id, email: user.email ?? '' })
    expect(await setByLink(browser, link, 'short')).toMatchObject(both('password', 'errorPasswordRules'))
    expect(await setByLink(browser, link, newPassword)).toMatchObject(terms)
  })
})
