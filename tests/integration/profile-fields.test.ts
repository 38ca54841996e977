import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { GET as readDetails } from '@/app/api/v1/platform/user/profile/details/route'
import { PATCH as patchProfile } from '@/app/api/v1/platform/user/profile/route'
import { db } from '@/db/client'
import { dynamicFields, dynamicFieldUniques, history, users } from '@/db/schema'
import { compose } from '@/lib/context/compose'
import { forget } from '@/lib/kernel/cache'
import type { ErrorData } from '@/lib/kernel/errors'
import { accountClaims } from '@/lib/oidc/claims/service'
import { createContractor, updateContractor } from '@/lib/people/contractors/service'
import { emptyRequisites } from '@/lib/people/requisites'
import type { ProfileDetails } from '@/lib/profile/personal/contract'
import { signedInWith } from '../factories/access'
import { thirty } from '../factories/at-once'
import type { Browser } from '../factories/browser'
import { createContext } from '../factories/context'
import { defineField, itemsOf } from '../factories/fields'
import { hostileValues } from '../factories/hostile'
import { useTestDatabase } from '../setup/database'

useTestDatabase()
beforeAll(() => compose())

const patch = (browser: Browser, body: unknown) => browser.send(patchProfile, 'PATCH', { body })
const details = async (browser: Browser) => (await browser.send(readDetails, 'GET')).body as ProfileDetails
/** The data of a refusal. */
const dataOf = (body: object) => ('data' in body ? body.data : {}) as ErrorData
const rowOf = async (id: string) => (await db().select().from(users).where(eq(users.id, id)))[0]
const rowsOf = (id: string) =>
  db()
    .select({ field: history.field, previous: history.previous, current: history.current, subtype: history.subtype })
    .from(history)
    .where(and(eq(history.entityId, id), eq(history.type, 'update')))

const samples = [
  { wishes: { fieldType: 'input' }, value: 'Ёлка' },
  { wishes: { fieldType: 'textarea' }, value: 'Первая\nвторая' },
  { wishes: { fieldType: 'toggle' }, value: false },
  { wishes: { fieldType: 'date' }, value: '2024-02-29' },
  { wishes: { fieldType: 'phone' }, value: '+79211234567' },
  { wishes: { fieldType: 'email' }, value: 'dom@polaris.example' },
  { wishes: { fieldType: 'dropbox', items: itemsOf('a', 'b') }, value: 'b' },
  { wishes: { fieldType: 'combobox', multiple: true, items: itemsOf('a', 'b', 'c') }, value: ['c', 'a'] },
] as const

test('what is written of each type is what is shown, given to applications and recorded', async () => {
  const { browser, user } = await signedInWith()
  const defined = await Promise.all(
    samples.map(async ({ wishes, value }) => ({
      code: await defineField({ ...(wishes as object), integrationRequired: true }),
      value,
    })),
  )
  const additionalInfo = Object.fromEntries(defined.map(({ code, value }) => [code, value]))
  expect(await patch(browser, { additionalInfo })).toMatchObject({ status: 200 })
  expect((await details(browser)).additionalInfo).toEqual(additionalInfo)
  expect((await rowOf(user.id))?.values).toEqual(additionalInfo)
  const claims = await accountClaims(user.id)
  expect((await claims?.('openid fields', 'none'))?.fields).toEqual(additionalInfo)
  const rows = await rowsOf(user.id)
  expect(Object.fromEntries(rows.map(({ field, current }) => [field?.slice('field:'.length), current]))).toEqual(
    additionalInfo,
  )
  expect(new Set(rows.map(({ subtype }) => subtype))).toEqual(new Set(['additional']))
})

test('hostile values are refused by field, and change nothing', async () => {
  const { browser, user } = await signedInWith()
  const codes = await Promise.all(samples.map(({ wishes }) => defineField({ ...(wishes as object) })))
  const before = await rowOf(user.id)
  for (const code of codes)
    for (const value of hostileValues.filter((one) => typeof one !== 'boolean' && one !== null)) {
      const { status, body } = await patch(browser, {
        mainInfo: { firstName: 'Чужая' },
        additionalInfo: { [code]: value, [`${code}x`]: 'unknown' },
      })
      expect([400, 413], JSON.stringify(value).slice(0, 80)).toContain(status)
      if (status === 400) expect(dataOf(body).errorList?.[0]?.code).toMatch(/^error/)
    }
  expect(await rowOf(user.id)).toEqual(before)
  expect(await rowsOf(user.id)).toEqual([])
})

test('of thirty people who want one unique value at once one gets it, and the others are told which field', async () => {
  const code = await defineField({ unique: true })
  const people = await thirty(() => signedInWith())
  const answers = await Promise.all(
    people.map(({ browser }, n) =>
      patch(browser, { additionalInfo: { [code]: n % 2 ? 'ПЛ-1' : ' пл-1' }, mainInfo: { firstName: 'Новое' } }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 29 }, () => 400)])
  for (const { body } of answers.filter(({ status }) => status === 400))
    expect(dataOf(body).errorList).toEqual([{ field: `additionalInfo.${code}`, code: 'errorUnique' }])
  const rows = await Promise.all(people.map(({ user }) => rowOf(user.id)))
  expect(rows.filter((row) => row?.values[code] !== undefined)).toHaveLength(1)
  expect(rows.filter((row) => row?.firstName === 'Новое')).toHaveLength(1)
  // who has it gives it up, and another one gets it
  const winner = people[answers.findIndex(({ status }) => status === 200)]
  const loser = people[answers.findIndex(({ status }) => status === 400)]
  if (!winner || !loser) throw new Error('nobody won')
  expect(await patch(winner.browser, { additionalInfo: { [code]: null } })).toMatchObject({ status: 200 })
  expect(await patch(loser.browser, { additionalInfo: { [code]: 'ПЛ-1' } })).toMatchObject({ status: 200 })
  expect(
    await db().select().from(dynamicFieldUniques).where(eq(dynamicFieldUniques.userId, loser.user.id)),
  ).toHaveLength(1)
})

test('people who swap unique values all the time never wait for each other for ever', async () => {
  const codes = await Promise.all([defineField({ unique: true }), defineField({ unique: true })])
  const people = await Promise.all([signedInWith(), signedInWith()])
  const statuses = await thirty(async (n) => {
    const person = people[n % 2]
    if (!person) throw new Error('nobody')
    const [first, second] = n % 4 < 2 ? ['a', 'b'] : ['b', 'a']
    const additionalInfo = { [codes[0]]: first, [codes[1]]: second }
    return (await patch(person.browser, { additionalInfo })).status
  })
  expect(statuses.every((status) => status === 200 || status === 400)).toBe(true)
})

test('of thirty saves of one version one is stored, and the others are told who saved, and what they may see', async () => {
  const { browser, user } = await signedInWith()
  await db().update(users).set({ comment: 'для администраторов' }).where(eq(users.id, user.id))
  const { updatedAt } = (await details(browser)).updatedInfo
  const answers = await thirty((n) => patch(browser, { updatedAt, mainInfo: { firstName: `Имя${n}` } }))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 29 }, () => 409)])
  const won = answers.findIndex(({ status }) => status === 200)
  const lost = answers.find(({ status }) => status === 409)
  const { conflict } = dataOf(lost?.body ?? {})
  expect(conflict).toMatchObject({ by: { you: true }, values: { fio: expect.stringContaining(`Имя${won} `) } })
  // what the profile doesn't show, a conflict doesn't either
  expect(conflict?.values).not.toHaveProperty('comment')
  expect(conflict?.values).not.toHaveProperty('enabled')
  expect(JSON.stringify(lost?.body)).not.toContain('для администраторов')
  // the details don't show it either
  expect((await details(browser)).mainInfo.comment).toBeNull()
})

test('names come whole or by parts, and all four stay in step', async () => {
  const { browser, user } = await signedInWith()
  await patch(browser, { mainInfo: { fio: 'Орлов  Дмитрий Сергеевич' } })
  expect(await rowOf(user.id)).toMatchObject({
    fio: 'Орлов Дмитрий Сергеевич',
    lastName: 'Орлов',
    firstName: 'Дмитрий',
    middleName: 'Сергеевич',
  })
  await patch(browser, { mainInfo: { lastName: 'Соколов' } })
  expect(await rowOf(user.id)).toMatchObject({ fio: 'Соколов Дмитрий Сергеевич', lastName: 'Соколов' })
  const { status, body } = await patch(browser, { mainInfo: { fio: '\u200b' } })
  expect([status, dataOf(body).errorList]).toEqual([400, [{ field: 'mainInfo.fio', code: 'errorEmpty' }]])
  expect(await patch(browser, { mainInfo: { email: 'other@polaris.example' } })).toMatchObject({ status: 400 })
  expect(await rowOf(user.id)).toMatchObject({ email: user.email })
})

test('a definition that changes later leaves the account readable, and the value in place', async () => {
  const { browser, user } = await signedInWith()
  const code = await defineField({ fieldType: 'combobox', multiple: true, items: itemsOf('a', 'b') })
  await patch(browser, { additionalInfo: { [code]: ['a', 'b'] } })
  for (const fieldType of ['date', 'toggle', 'phone', 'picture', 'input'] as const) {
    await db()
      .update(dynamicFields)
      .set({ fieldType, multiple: false, items: [], pattern: '^x$', minLength: 50 })
      .where(eq(dynamicFields.code, code))
    forget('dynamic-fields')
    expect((await details(browser)).additionalInfo[code]).toEqual(['a', 'b'])
    expect(await patch(browser, { mainInfo: { gender: 'man' } })).toMatchObject({ status: 200 })
  }
  expect((await rowOf(user.id))?.values[code]).toEqual(['a', 'b'])
})

test('a contractor’s values are checked by their definitions, and unique ones stay different', async () => {
  const ctx = await createContext({ methods: ['contractors.read', 'contractors.write'] })
  const code = await defineField({ type: 'contractors', unique: true, adminRequired: true })
  const contractor = (value?: string) => ({
    body: {
      name: `ООО ${randomUUID()}`,
      ...emptyRequisites,
      availableOrganizations: [],
      values: value === undefined ? {} : { [code]: value },
    },
  })
  const fault = (kind: string) => ({ data: { errorList: [{ field: `values.${code}`, code: kind }] } })
  await expect(createContractor(ctx, contractor())).rejects.toMatchObject(fault('errorEmpty'))
  const { id } = await createContractor(ctx, contractor('А-1'))
  await expect(createContractor(ctx, contractor('а-1'))).rejects.toMatchObject(fault('errorUnique'))
  await updateContractor(ctx, { params: { id }, ...contractor('А-2') })
  await createContractor(ctx, contractor('А-1'))
  await expect(updateContractor(ctx, { params: { id }, ...contractor('а-1') })).rejects.toMatchObject(
    fault('errorUnique'),
  )
  // what is left out stays
  await updateContractor(ctx, { params: { id }, ...contractor() })
  const rows = await rowsOf(id)
  expect(rows.filter(({ field }) => field === `field:${code}`)).toMatchObject([{ previous: 'А-1', current: 'А-2' }])
})
