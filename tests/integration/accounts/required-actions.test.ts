import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields, users } from '@/db/schema'
import { createUser as create, updateUser } from '@/lib/account-administration/accounts/contract'
import { startUserImport } from '@/lib/account-administration/user-import/contract'
import { listUsers } from '@/lib/accounts/administration/contract'
import { newUserFields, writtenFields } from '@/lib/accounts/user-table/fields'
import { requiredFieldsEmpty } from '@/lib/accounts/users/service'
import { syncChecker } from '@/lib/directory-sync/provider-sync/values'
import { configureProfile, updateProfile } from '@/lib/my-account/personal/contract'
import { Caller, callerFor } from '../../factories/caller'
import { newEmail } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { defineActionType, defineField, removeFields } from '../../factories/fields'
import { signedIn } from '../../factories/invitation-calls'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { imported, importOf } from '../../factories/user-import'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const type = 'vacation'
let [needed, free, toggle] = ['', '', '']
beforeEach(async () => {
  // what other fields require is the matter of other tests
  await db().update(dynamicFields).set({ adminRequired: false, profileRequired: false, integrationRequired: false })
  await defineActionType(type)
  const action = { type: 'personnel-actions' as const, subtype: type }
  needed = await defineField({ ...action, adminRequired: true, profileRequired: true, integrationRequired: true })
  free = await defineField(action)
  toggle = await defineField({ ...action, fieldType: 'toggle' })
})
afterEach(removeFields)

const valuesOf = async (id: string) => (await db().select().from(users).where(eq(users.id, id)))[0]?.values
const empty = (code: string) => expect.objectContaining({ field: code, code: 'errorEmpty' })

test('nobody without the action lacks anything, and whoever has it does', async () => {
  const [none, off, has, whole] = [
    await createUser(),
    await createUser({ values: { [toggle]: false } }),
    await createUser({ values: { [free]: 'x' } }),
    await createUser({ values: { [free]: 'x', [needed]: 'y' } }),
  ]
  expect(await requiredFieldsEmpty(none.id)).not.toContain(needed)
  expect(await requiredFieldsEmpty(off.id)).not.toContain(needed)
  expect(await requiredFieldsEmpty(has.id)).toContain(needed)
  expect(await requiredFieldsEmpty(whole.id)).not.toContain(needed)
  const reader = await callerFor(listUsers)
  const countFound = async (search: string) =>
    (await reader.call(listUsers, { query: { filter: { incomplete: true, search } } } as never)).users.length
  expect(await Promise.all([none, off, has, whole].map(({ login }) => countFound(login)))).toEqual([0, 0, 1, 0])
})

test('a new account and a row of an import need it only with the action', async () => {
  const admin = await callerFor(create)
  const make = (values: object) => admin.send(create, { body: { values: { email: newEmail(), ...values } } })
  expect((await make({})).status).toBe(200)
  expect((await make({ [free]: 'x' })).body.data).toEqual({ errorList: [empty(`values.${needed}`)] })
  expect((await make({ [free]: 'x', [needed]: 'y' })).status).toBe(200)
  expect((await make({ [toggle]: false })).status).toBe(200)
  const ctx = await createContext({ methods: ['users.read', 'users.write'] })
  for (const fields of [await writtenFields(ctx), await newUserFields(ctx)])
    expect(fields.find(({ code }) => code === needed)?.required ?? false).toBe(false)
})

test('an administrator who enters the action needs it; who has it can’t lose it alone', async () => {
  const admin = await callerFor(updateUser)
  const { id } = await createUser()
  const change = (values: object) => admin.send(updateUser, { params: { id }, body: { values } })
  expect((await change({ comment: 'x' })).status).toBe(200)
  expect((await change({ [free]: 'x' })).body.data).toEqual({ errorList: [empty(`values.${needed}`)] })
  expect((await change({ [free]: 'x', [needed]: 'y' })).status).toBe(200)
  expect((await change({ [needed]: '' })).body.data).toEqual({ errorList: [empty(`values.${needed}`)] })
  expect((await change({ [free]: '', [needed]: '' })).status).toBe(200)
  expect(await valuesOf(id)).toEqual({})
})

test('in the profile it is asked for of people with the action alone', async () => {
  const { user, browser } = await signedIn()
  const caller = new Caller(browser)
  const required = async () =>
    (await caller.call(configureProfile)).tabs
      .flatMap(({ subtypes }) => subtypes.flatMap(({ fields }) => fields))
      .find(({ code }) => code === needed)?.required
  const change = (additionalInfo: object) => caller.send(updateProfile, { body: { additionalInfo } })
  expect(await required()).toBe(false)
  expect((await change({ [free]: 'x' })).body.data).toEqual({ errorList: [empty(`additionalInfo.${needed}`)] })
  expect((await change({ [free]: 'x', [needed]: 'y' })).status).toBe(200)
  expect(await required()).toBe(true)
  expect((await change({ [needed]: null })).body.data).toEqual({ errorList: [empty(`additionalInfo.${needed}`)] })
  expect((await change({ [needed]: null, [free]: null })).status).toBe(200)
  expect(await valuesOf(user.id)).toEqual({})
})

test('a synchronization requires it of people with the action alone', async () => {
  const check = await syncChecker(await createContext())
  const account = (values: object) => ({
    login: 'a',
    lastName: '',
    firstName: '',
    middleName: '',
    email: null,
    values: { ...values },
  })
  const codes = (input: object, values = {}) => {
    const { notes } = check({ values: input as never, broken: [] }, account(values) as never)
    return notes.map(({ field }) => field)
  }
  expect(codes({})).not.toContain(needed)
  expect(codes({ [free]: 'x' })).toContain(needed)
  expect(codes({}, { [free]: 'x' })).toContain(needed)
  expect(codes({ [free]: 'x', [needed]: 'y' })).not.toContain(needed)
})

const below = caseNumbers(20710)

test('by any sequence of changes nobody gets the action without what it needs, and nobody else is stopped', async () => {
  const admin = await callerFor(updateUser)
  const { user, browser } = await signedIn()
  const caller = new Caller(browser)
  const some = () => [undefined, '', 'x'][below(3)]
  for (const _ of eachRound(60)) {
    const values = Object.fromEntries(
      [needed, free].flatMap((code) => {
        const value = some()
        return value === undefined ? [] : [[code, value]]
      }),
    )
    const before = (await valuesOf(user.id)) ?? {}
    const after = Object.fromEntries(Object.entries({ ...before, ...values }).filter(([, value]) => value !== ''))
    const right = Object.keys(after).length === 0 || needed in after
    const { status } =
      below(2) > 0
        ? await admin.send(updateUser, { params: { id: user.id }, body: { values } })
        : await caller.send(updateProfile, { body: { additionalInfo: values } })
    expect([status, await valuesOf(user.id)], JSON.stringify({ before, values })).toEqual(
      right ? [200, after] : [400, before],
    )
  }
})

test('a file without its column makes accounts', async () => {
  const importer = await callerFor(startUserImport)
  const rows = [
    [newEmail(), ''],
    [newEmail(), 'x'],
  ]
  const body = importOf(['field.email', `field.${free}`], rows, { by: 'email' })
  const { faults } = await imported(importer, body)
  expect(faults).toMatchObject([{ row: 3, code: 'errorEmpty' }])
  expect(await Promise.all(rows.map(([email = '']) => db().$count(users, eq(users.email, email))))).toEqual([1, 0])
})
