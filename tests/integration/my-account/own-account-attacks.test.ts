import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields, providers, signInLog, userContacts, users } from '@/db/schema'
import { userEntity } from '@/lib/accounts/users/entity'
import { audit } from '@/lib/base/audit/audit'
import { dropCached, invalidate } from '@/lib/base/cache/cache'
import { patchAvatar } from '@/lib/my-account/avatar/contract'
import { requestContactCode } from '@/lib/my-account/contact-details/contract'
import { readProfileDetails, updateProfile } from '@/lib/my-account/personal/contract'
import { patchUserSettings } from '@/lib/my-account/settings/contract'
import { readNotices } from '@/lib/news/notifications/contract'
import { getProfileHistory } from '@/lib/operations/own-history/contract'
import { compose } from '@/lib/wiring/compose'
import { thirty } from '../../factories/at-once'
import type { Caller } from '../../factories/caller'
import { passResend } from '../../factories/codes'
import { createContext } from '../../factories/context'
import { defineField, removeFields } from '../../factories/fields'
import { lastCodeTo, lastMessageTo } from '../../factories/messages'
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
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
beforeAll(() => compose())

type Answer = { status: number; body: Record<string, unknown> }
const faultsOf = ({ body }: Answer) =>
  ((body.data ?? {}) as { errorList?: { field: string; code: string }[] }).errorList ?? []
const faultOf = (answer: Answer) => [answer.status, faultsOf(answer)[0]?.field, faultsOf(answer)[0]?.code]
const patch = (caller: Caller, body: object) => caller.send(updateProfile, { body })
const rowOf = async (id: string) => (await db().select().from(users).where(eq(users.id, id)))[0]

type Flags = { profileVisible: boolean; profileEdit: boolean; profileRequired: boolean }
/** Gives a field of the account other flags while the work runs. */
async function withFlags<T>(code: string, flags: Partial<Flags>, work: () => Promise<T>): Promise<T> {
  const ofField = and(eq(dynamicFields.type, 'users'), eq(dynamicFields.code, code))
  const [before] = await db().select().from(dynamicFields).where(ofField)
  const set = async (values: Partial<Flags>) => {
    await db().update(dynamicFields).set(values).where(ofField)
    await invalidate(db(), 'dynamic-fields')
    dropCached('dynamic-fields')
  }
  await set({ profileRequired: false, ...flags })
  try {
    return await work()
  } finally {
    const { profileVisible, profileEdit, profileRequired } = before as Flags
    await set({ profileVisible, profileEdit, profileRequired })
  }
}
const hidden = { profileVisible: false, profileEdit: false }
const readOnly = { profileVisible: true, profileEdit: false }

/** What an administrator does to an account, recorded as it would be. */
async function byAdministrator(userId: string, before: object, after: object) {
  const other = await createUser()
  const ctx = { ...(await createContext()), ip: '203.0.113.77' }
  await db().transaction((tx) =>
    audit(tx, ctx, userEntity, userId, before as never, after as never, { changerId: other.id }),
  )
}

describe('the own history', () => {
  test('shows no change of what the profile doesn’t show, and can’t be asked about it', async () => {
    const { user, caller } = await ownAccount()
    const code = await defineField({ profileVisible: false, profileEdit: false })
    const secret = `оценка ${randomUUID()}`
    await byAdministrator(user.id, { comment: null }, { comment: secret })
    await byAdministrator(user.id, { [`field:${code}`]: null }, { [`field:${code}`]: secret })
    await byAdministrator(user.id, { comment: secret, gender: null }, { comment: null, gender: 'man' })
    const { acts, fields } = await caller.call(getProfileHistory, { query: {} })
    expect(JSON.stringify(acts)).not.toContain(secret)
    const named = acts.flatMap(({ changes }) => changes.map(({ field }) => field))
    expect(named).toContain('gender')
    expect(named).not.toContain('comment')
    // an act that changed nothing else isn't there either
    expect(acts.filter(({ changes, type }) => type === 'update' && changes.length === 0)).toEqual([])
    expect(fields.map(({ name }) => name)).not.toContain('comment')
    for (const field of ['comment', `field:${code}`])
      expect((await caller.call(getProfileHistory, { query: { filter: { field } } })).acts).toEqual([])
    expect((await caller.call(getProfileHistory, { query: { filter: { field: 'gender' } } })).acts).toHaveLength(1)
  })

  test('pages through what is left without a gap or a hint of what isn’t', async () => {
    const { user, caller } = await ownAccount()
    for (let n = 0; n < 24; n++) {
      await byAdministrator(user.id, { comment: `a${n}` }, { comment: `b${n}` })
      if (n % 2) await byAdministrator(user.id, { middleName: `a${n}` }, { middleName: `b${n}` })
    }
    const seen: string[] = []
    let after: string | undefined
    do {
      const meta = { perPage: 10, ...(after ? { after } : {}) }
      const page = await caller.call(getProfileHistory, { query: { meta } as never })
      seen.push(...page.acts.filter(({ type }) => type === 'update').map(({ id }) => id))
      after = page.meta.after ?? undefined
    } while (after)
    expect(new Set(seen).size).toBe(12)
    expect(seen).toHaveLength(12)
  })

  test('hides the contacts of a kind that the profile doesn’t show', async () => {
    const { user, caller } = await ownAccount()
    const value = freshMobile()
    await save(caller, {
      mobiles: [
        { value: user.mobile, main: true },
        { value, messengers: ['max'], agreement: 'refused' },
      ],
    })
    await withFlags('mobile', hidden, async () => {
      const { acts } = await caller.call(getProfileHistory, { query: {} })
      expect(JSON.stringify(acts)).not.toContain(value)
    })
    expect(JSON.stringify((await caller.call(getProfileHistory, { query: {} })).acts)).toContain(value)
  })

  test('tells from where only of the person’s own acts, whoever is filtered for', async () => {
    const { user, caller } = await ownAccount()
    await byAdministrator(user.id, { gender: null }, { gender: 'man' })
    await patch(caller, { mainInfo: { gender: 'woman' } })
    const { acts } = await caller.call(getProfileHistory, { query: { filter: { field: 'gender' } } })
    expect(acts).toHaveLength(2)
    expect(acts[0]?.ip).not.toBeNull()
    expect(acts[1]?.ip).toBeNull()
    expect(JSON.stringify(acts)).not.toContain('203.0.113.77')
  })
})

describe('contacts obey the flags of their fields, by direct call too', () => {
  const kinds = ['email', 'mobile'] as const
  const fresh = { email: freshEmail, mobile: freshMobile }
  const listOf = { email: 'emails', mobile: 'mobiles' } as const

  test.each(
    kinds.flatMap((kind) => [
      [kind, 'hidden', hidden, 'errorUnknownField'] as const,
      [kind, 'read-only', readOnly, 'errorReadOnly'] as const,
    ]),
  )('%s, %s', async (kind, _, flags, fault) => {
    const { user, caller } = await ownAccount()
    const value = fresh[kind]()
    const code = await codeFor(caller, kind, value)
    await withFlags(kind, flags, async () => {
      const list = listOf[kind]
      expect(faultOf(await save(caller, { [list]: [{ value: user[kind], main: true }, { value }] }))).toEqual([
        400,
        `contacts.${list}`,
        fault,
      ])
      await passResend()
      expect(faultOf(await caller.send(requestContactCode, { body: { kind, value: fresh[kind]() } }))).toEqual([
        400,
        'kind',
        fault,
      ])
      expect(faultOf(await verify(caller, kind, value, code, true))).toEqual([400, 'kind', fault])
    })
    expect((await rowOf(user.id))?.[kind]).toBe(user[kind])
    expect((await contactsOf(caller))[listOf[kind]]).toHaveLength(1)
  })

  test('the answer to a code shows no contacts of a hidden kind', async () => {
    const { user, caller } = await ownAccount()
    const value = freshMobile()
    const code = await codeFor(caller, 'mobile', value)
    await withFlags('email', hidden, async () => {
      const { status, body } = await verify(caller, 'mobile', value, code)
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toContain(user.email)
      expect(JSON.stringify(body)).toContain(value)
    })
  })
})

describe('an account of a directory', () => {
  const inDirectory = async () => {
    const ownPerson = await ownAccount()
    const [provider] = await db()
      .insert(providers)
      .values({ type: 'keycloak', name: randomUUID(), url: 'https://d.example', clientId: 'x', clientSecret: 'x' })
      .returning()
    const value = freshEmail()
    const code = await codeFor(ownPerson.caller, 'email', value)
    await db()
      .update(users)
      .set({ providerId: provider?.id ?? null })
      .where(eq(users.id, ownPerson.user.id))
    return { ...ownPerson, value, code }
  }

  test('keeps the e-mail of the directory, also by a right code', async () => {
    const { user, caller, value, code } = await inDirectory()
    expect(faultOf(await verify(caller, 'email', value, code, true))).toEqual([400, 'value', 'errorDirectoryEmail'])
    expect((await rowOf(user.id))?.email).toBe(user.email)
  })

  test('may have a further e-mail, which never becomes the main one', async () => {
    const { user, caller, value, code } = await inDirectory()
    expect((await verify(caller, 'email', value, code)).status).toBe(200)
    const emails = [{ value: user.email }, { value, main: true }]
    expect(faultOf(await save(caller, { emails }))).toEqual([400, 'contacts.emails.1.value', 'errorDirectoryEmail'])
    expect((await rowOf(user.id))?.email).toBe(user.email)
  })
})

test.each(['Зайдите на evil.example', 'https://evil.example', 'Вы выиграли приз, ответьте на это письмо'])(
  'a mail to a stranger’s address carries no text of who requested it: %s',
  async (firstName) => {
    const { caller } = await ownAccount()
    await patch(caller, { mainInfo: { firstName } })
    const value = freshEmail()
    await codeFor(caller, 'email', value)
    const content = (await lastMessageTo(value))?.content
    expect(content?.text).toContain('Код')
    expect(JSON.stringify(content)).not.toContain(firstName)
  },
)

describe('values that others have', () => {
  test('can’t be found out by tries, neither logins nor unique fields, however many at once', async () => {
    const other = await createUser()
    const code = await defineField({ unique: true })
    const { user, caller } = await ownAccount()
    await withFlags('login', { profileVisible: true, profileEdit: true }, async () => {
      const answers = await thirty((n) =>
        patch(
          caller,
          n % 2
            ? { mainInfo: { login: n === 29 ? other.login : `guess.${randomUUID()}` } }
            : { additionalInfo: { [code]: randomUUID() } },
        ),
      )
      expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(15)
      // the answer is the same, whether somebody has the value or nobody
      const after = [
        await patch(caller, { mainInfo: { login: other.login } }),
        await patch(caller, { mainInfo: { login: `free.${randomUUID()}` } }),
        await patch(caller, { additionalInfo: { [code]: randomUUID() } }),
      ]
      expect(after.map(({ status, body }) => [status, body.code])).toEqual(after.map(() => [429, 'tooManyAttempts']))
      // whatever else is saved doesn't count, nor does a login that stays
      const { login } = (await rowOf(user.id)) ?? {}
      expect((await patch(caller, { mainInfo: { gender: 'man', login } })).status).toBe(200)
    })
    await removeFields()
  })
})

describe('codes of fields that every object has', () => {
  const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf']
  test.each(names)('%s is a field like any other', async (code) => {
    const { user, caller } = await ownAccount()
    await defineField({ code, unique: true, profileRequired: true })
    try {
      const before = await caller.call(readProfileDetails)
      expect(before.accessInfo.requiredFieldsEmptyCodes).toContain(code)
      expect(Object.hasOwn(before.additionalInfo, code)).toBe(false)
      expect(await patch(caller, { mainInfo: { gender: 'man' } })).toMatchObject({ status: 200 })
      expect(await patch(caller, { additionalInfo: { [code]: user.login } })).toMatchObject({ status: 200 })
      const after = await caller.call(readProfileDetails)
      expect(Object.getOwnPropertyDescriptor(after.additionalInfo, code)?.value).toBe(user.login)
      // a conflict tells it like any other value
      const { updatedAt } = before.updatedInfo
      expect((await patch(caller, { updatedAt, mainInfo: { gender: 'woman' } })).status).toBe(409)
    } finally {
      await removeFields()
    }
  })
})

test('__proto__ is no code of a field: nothing is asked, nothing is stored, nothing is changed', async () => {
  const { user, caller } = await ownAccount()
  await defineField({ code: '__proto__', profileRequired: true })
  try {
    expect((await caller.call(readProfileDetails)).accessInfo.requiredFieldsEmptyCodes).toEqual([])
    for (const text of ['"x"', '["x"]', '{"isEditable":true}']) {
      const additionalInfo = JSON.parse(`{"__proto__":${text}}`)
      await patch(caller, { additionalInfo })
      await patch(caller, { mainInfo: additionalInfo })
    }
    expect((await rowOf(user.id))?.values).toEqual({})
    expect(({} as Record<string, unknown>).isEditable).toBeUndefined()
  } finally {
    await removeFields()
  }
})

describe('contacts that were stored by others', () => {
  test('are shown as they are, and don’t shut the profile', async () => {
    const { user, caller } = await ownAccount()
    await db().update(users).set({ mobile: '12', email: 'Иван@почта.рф' }).where(eq(users.id, user.id))
    const { contactsInfo } = await caller.call(readProfileDetails)
    expect(contactsInfo).toMatchObject({ emails: [{ value: 'иван@почта.рф', main: true }], mobiles: [{ value: '12' }] })
    expect((await patch(caller, { mainInfo: { gender: 'man' } })).status).toBe(200)
    // and another one takes their place
    const value = freshEmail()
    expect((await verify(caller, 'email', value, await codeFor(caller, 'email', value), true)).status).toBe(200)
    expect((await rowOf(user.id))?.email).toBe(value)
  })
})

describe('at once', () => {
  test.each(['email', 'mobile'] as const)(
    'of thirty accounts that want one %s as the main one, one gets it',
    async (kind) => {
      const value = kind === 'email' ? freshEmail() : freshMobile()
      const accounts = await thirty(() => ownAccount())
      const verifiedAt = new Date()
      await db()
        .insert(userContacts)
        .values(accounts.map(({ user }) => ({ userId: user.id, kind, value, verifiedAt })))
      const answers = await Promise.all(
        accounts.map(({ user, caller }) => {
          const list = [{ value: user[kind] }, { value, main: true }]
          return save(caller, kind === 'email' ? { emails: list } : { mobiles: list })
        }),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 29 }, () => 400)])
      const fault = kind === 'email' ? 'errorEmailRegistered' : 'errorMobileRegistered'
      for (const answer of answers.filter(({ status }) => status !== 200)) expect(faultOf(answer)[2]).toBe(fault)
      expect(await db().select().from(users).where(eq(users[kind], value))).toHaveLength(1)
    },
  )

  test('a deletion and every write of the account: nothing fails, and nothing of it comes back', async () => {
    const { user, caller } = await ownAccount()
    const value = freshEmail()
    await codeFor(caller, 'email', value)
    const code = await lastCodeTo(value)
    const image = sharp({ create: { width: 300, height: 200, channels: 3, background: '#345' } })
    const file = new File([new Uint8Array(await image.png().toBuffer())], 'me.png', { type: 'image/png' })
    const work: (() => Promise<Answer>)[] = [
      () => remove(caller, { login: user.login, password }),
      () => patch(caller, { mainInfo: { firstName: 'Призрак' } }),
      () => verify(caller, 'email', value, code, true),
      () => save(caller, { emails: [{ value: user.email, main: true }, { value: freshEmail() }] }),
      () => change(caller, { actual: password, password: nextPassword, rePassword: nextPassword }),
      () => caller.send(patchUserSettings, { body: { settings: { navMini: true } } }),
      () => caller.send(patchUserSettings, { body: { settings: { columns: {} } } }),
      () => caller.send(readNotices, { body: {} }),
      () => caller.send(patchAvatar, { body: { file } }),
    ]
    const answers = await Promise.all([...work, ...work, ...work].map((one) => one()))
    expect(answers.filter(({ status }) => status >= 500).map(({ body }) => body)).toEqual([])
    expect(answers.filter(({ status }, n) => n % work.length === 0 && status === 200)).toHaveLength(1)
    expect(await rowOf(user.id)).toBeUndefined()
    const { rows } = await db().execute<{ name: string; column: string }>(
      "select table_name as name, column_name as column from information_schema.columns where column_name in ('user_id', 'account_id') and table_schema = 'public'",
    )
    // the log of sign-ins keeps its rows until their time, and nothing of the person but the id
    const logged = await db().select().from(signInLog).where(eq(signInLog.userId, user.id))
    expect(logged.filter(({ digest, mask }) => digest !== null || mask !== null)).toEqual([])
    for (const personal of [user.login, user.email, user.fio, value])
      expect(JSON.stringify(logged)).not.toContain(personal)
    for (const { name, column } of rows.filter((each) => each.name !== 'sign_in_log')) {
      const remaining = await db().execute(`select 1 from "${name}" where "${column}"::text = '${user.id}'`)
      expect([name, remaining.rows.length]).toEqual([name, 0])
    }
  })
})
