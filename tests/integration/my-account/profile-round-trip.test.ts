import { eq } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields, history, userContacts, users } from '@/db/schema'
import { dropCached, invalidate } from '@/lib/base/cache/cache'
import { readProfileDetails, updateProfile } from '@/lib/my-account/personal/contract'
import { Caller } from '../../factories/caller'
import { defineField, removeFields } from '../../factories/fields'
import { signedIn } from '../../factories/invitation-calls'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const below = caseNumbers(20630)
const flagged = [
  'lastName',
  'firstName',
  'middleName',
  'fio',
  'birthDate',
  'gender',
  'email',
  'mobile',
  'locale',
  'login',
  'comment',
]
const setFlags = async (code: string, flags: Partial<typeof dynamicFields.$inferInsert>) => {
  await db().update(dynamicFields).set(flags).where(eq(dynamicFields.code, code))
  await invalidate(db(), 'dynamic-fields')
  dropCached('dynamic-fields')
}
afterEach(async () => {
  await removeFields()
  for (const code of flagged) await setFlags(code, { profileVisible: true, profileEdit: true, profileRequired: false })
})

async function person() {
  const { user, browser } = await signedIn({
    emailVerifiedAt: new Date(),
    birthDate: '1990-02-03',
    gender: 'woman',
    comment: 'Заметка',
    locale: 'ru',
  })
  return { user, caller: new Caller(browser) }
}
const rowOf = async (id: string) => {
  const [row] = await db().select().from(users).where(eq(users.id, id))
  const contacts = await db().select().from(userContacts).where(eq(userContacts.userId, id))
  return { ...row, updatedAt: undefined, version: undefined, contacts }
}
const details = async (caller: Caller) => ({ ...(await caller.call(readProfileDetails)) }) as Record<string, unknown>

test('what details returns is taken back, whatever the flags of the fields, and changes nothing', async () => {
  const { user, caller } = await person()
  const editableField = await defineField()
  const fixed = await defineField({ profileEdit: false })
  await db()
    .update(users)
    .set({ values: { [editableField]: 'a', [fixed]: 'b' } })
    .where(eq(users.id, user.id))
  for (const _ of eachRound(40)) {
    const code = flagged[below(flagged.length)] ?? 'login'
    await setFlags(code, { profileVisible: below(3) > 0, profileEdit: below(2) > 0 })
    const before = await rowOf(user.id)
    const answer = await caller.send(updateProfile, { body: await details(caller) })
    expect(answer, code).toMatchObject({ status: 200 })
    expect(await rowOf(user.id)).toEqual(before)
  }
  const changes = await db().select().from(history).where(eq(history.entityId, user.id))
  expect(changes.filter(({ type }) => type === 'update')).toEqual([])
})

test('known keys that a change doesn’t need may be empty', async () => {
  const { user, caller } = await person()
  await setFlags('login', { profileEdit: false })
  const before = await rowOf(user.id)
  for (const empty of ['', null]) {
    const mainInfo = { avatar: empty, email: empty, mobile: empty, groups: empty, isEditable: empty, login: empty }
    const rest = { contacts: empty, contactsInfo: empty, additionalInfo: empty, accessInfo: empty, updatedInfo: empty }
    const more = { termsInfo: empty, availableActions: empty }
    expect(await caller.send(updateProfile, { body: { mainInfo, ...rest, ...more } })).toMatchObject({ status: 200 })
    expect(await caller.send(updateProfile, { body: { mainInfo: empty === '' ? {} : empty } })).toMatchObject({
      status: 200,
    })
  }
  expect(await rowOf(user.id)).toEqual(before)
})

test('a changed value is stored among all that comes back, and what nobody changes here is refused by its field', async () => {
  const { user, caller } = await person()
  const sent = await details(caller)
  const mainInfo = sent.mainInfo as Record<string, unknown>
  const changed = { ...sent, mainInfo: { ...mainInfo, comment: 'Другая' } }
  expect((await caller.send(updateProfile, { body: changed })).status).toBe(200)
  expect((await rowOf(user.id)).comment).toBe('Другая')
  // of names that come together the one that differs counts
  expect(
    (await caller.send(updateProfile, { body: { mainInfo: { ...mainInfo, fio: 'Белова Ирина Олеговна' } } })).status,
  ).toBe(200)
  expect(await rowOf(user.id)).toMatchObject({ lastName: 'Белова', firstName: 'Ирина', middleName: 'Олеговна' })
  const now = await rowOf(user.id)
  for (const [code, value] of [
    ['email', 'other@polaris.example'],
    ['mobile', '+79581112233'],
  ] as const)
    expect(await caller.send(updateProfile, { body: { mainInfo: { [code]: value } } })).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: `mainInfo.${code}`, code: 'errorReadOnly' }] } },
    })
  await setFlags('login', { profileEdit: false })
  expect(await caller.send(updateProfile, { body: { mainInfo: { login: 'another.login' } } })).toMatchObject({
    status: 400,
  })
  // what is told of a person isn't theirs to say
  const readOnlyValues = {
    avatar: user.id,
    groups: [{ id: user.id, name: 'administrator' }],
    isEditable: true,
    directory: 'x',
  }
  expect((await caller.send(updateProfile, { body: { mainInfo: readOnlyValues, accessInfo: { a: 1 } } })).status).toBe(
    200,
  )
  expect(await caller.send(updateProfile, { body: { mainInfo: { roles: [] } } })).toMatchObject({ status: 400 })
  expect(await caller.send(updateProfile, { body: { other: null } })).toMatchObject({ status: 400 })
  expect(await rowOf(user.id)).toEqual(now)
})
