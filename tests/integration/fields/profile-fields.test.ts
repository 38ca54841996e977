import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import Papa from 'papaparse'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields, dynamicFieldUniques, history, users } from '@/db/schema'
import { exportUsers } from '@/lib/accounts/administration/export'
import { systemicMethods } from '@/lib/base/access/access-methods'
import { dropCached } from '@/lib/base/cache/cache'
import type { CallOutput } from '@/lib/base/contracts/contract'
import type { ErrorData } from '@/lib/base/runtime/errors'
import { createContractor, updateContractor } from '@/lib/companies/contractors/service'
import { emptyRequisites } from '@/lib/companies/requisites'
import { namesFrom } from '@/lib/fields/names'
import { type FieldView, fieldTypes, shownParts } from '@/lib/fields/values/definition'
import type { configureProfile, ProfileDetails } from '@/lib/my-account/personal/contract'
import {
  configureProfile as configureProfileCall,
  readProfileDetails,
  updateProfile,
} from '@/lib/my-account/personal/contract'
import { accountClaims } from '@/lib/openid/claims/service'
import { compose } from '@/lib/wiring/compose'
import ru from '@/messages/ru/ui.json'
import { signedInWith } from '../../factories/access'
import { thirty } from '../../factories/at-once'
import type { Browser } from '../../factories/browser'
import { createContext } from '../../factories/context'
import { defineField, itemsOf, removeFields } from '../../factories/fields'
import { hostileValues } from '../../factories/hostile'
import { eachRound } from '../../factories/random-cases'
import { one, options, random, randomCase } from '../../factories/random-fields'
import { handlerOf } from '../../factories/routes'
import { useTestDatabase } from '../../setup/database'

const configure = handlerOf(configureProfileCall)
const readDetails = handlerOf(readProfileDetails)
const patchProfile = handlerOf(updateProfile)

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
    .orderBy(history.id)

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

const someNames = ['Ким', 'Olga', "O'Brien", 'Жан-Люк', 'Łukasz', 'Анна']
/** Random values of the columns of an account, of which the profile takes all but e-mail and mobile. */
function randomMain() {
  const [lastName, firstName, middleName] = [one(someNames), one(someNames), one(['', ...someNames])]
  return {
    lastName,
    firstName,
    middleName,
    birthDate: `19${10 + random(89)}-0${1 + random(9)}-1${random(10)}`,
    gender: one(['man', 'woman'] as const),
    locale: one(['ru', 'en'] as const),
    login: `p${randomUUID().slice(0, 8)}`,
    comment: one(['', 'Первая\nвторая', 'x']),
  }
}
const described = ({ rules: { code: _, base: __, options: titles, ...rules } }: ReturnType<typeof randomCase>) => ({
  ...rules,
  items: titles.map(({ code, title }, order) => ({ id: randomUUID(), code, value: title, order })),
})

const yesNo = (on: boolean) => (on ? ru.ui.list.yes : ru.ui.list.no)

/** What a file of accounts says of one of them, by the titles of its columns. */
async function exported(login: string): Promise<Record<string, string>> {
  const ctx = await createContext({ methods: [...systemicMethods] })
  const list = { page: 1, perPage: 5, after: undefined, before: undefined, only: undefined, filter: { search: login } }
  const { chunks } = await exportUsers(ctx, {
    query: { format: 'csv', list: { ...list, sortBy: 'name', sort: 'asc' } },
  })
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(Buffer.from(chunk as Uint8Array))
  const text = Buffer.concat(parts)
    .toString()
    .replace(/^\ufeff/, '')
  const { data } = Papa.parse<Record<string, string>>(text, { header: true, delimiter: ';', skipEmptyLines: true })
  expect(data).toHaveLength(1)
  // a spreadsheet takes what begins like a formula as text by this apostrophe
  return Object.fromEntries(
    Object.entries(data[0] ?? {}).map(([title, cell]) => [title, cell.replace(/^'(?=[\s=+\-@])/, '')]),
  )
}

test('of random definitions and values, base ones too: what is written is what is shown, exported, claimed and recorded', async () => {
  const open = { profileVisible: true, profileEdit: true }
  const isOwn = and(eq(dynamicFields.type, 'users'), inArray(dynamicFields.code, ['login', 'comment']))
  const before = await db().select().from(dynamicFields).where(isOwn)
  onTestFinished(async () => {
    for (const { id, profileVisible, profileEdit } of before)
      await db().update(dynamicFields).set({ profileVisible, profileEdit }).where(eq(dynamicFields.id, id))
    await removeFields()
  })
  await db().update(dynamicFields).set(open).where(isOwn)
  const seen = new Set<string>()
  for (const _ of eachRound(16)) {
    const { browser, user } = await signedInWith()
    const began = { ...(await rowOf(user.id)) }
    const cases = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const made = randomCase()
        const integration = random(2) === 0
        const code = await defineField({ ...described(made), integrationRequired: integration, pattern: null })
        seen.add(made.rules.fieldType)
        return { ...made, code, integration }
      }),
    )
    const sides = [randomMain(), randomMain()] as const
    for (const [turn, mainInfo] of sides.entries()) {
      // the full name is made in the language of whoever saves
      const names = namesFrom(mainInfo, turn === 0 ? 'ru' : sides[0].locale)
      // the second time half of the fields change: they are emptied
      const sent = cases.filter((_, n) => turn === 0 || n % 2 === 0)
      const typed = (field: (typeof cases)[number]) => (turn === 0 || field.rules.required ? field.typed : null)
      const isKept = ({ code, rules }: (typeof cases)[number]) =>
        turn === 0 || rules.required || !sent.some((field) => field.code === code)
      const additionalInfo = Object.fromEntries(sent.map((field) => [field.code, typed(field)]))
      expect(await patch(browser, { mainInfo, additionalInfo }), JSON.stringify(cases)).toMatchObject({ status: 200 })

      const stored = Object.fromEntries(cases.filter(isKept).map((field) => [field.code, field.stored]))
      const profile = await details(browser)
      expect(profile.additionalInfo).toEqual(stored)
      expect(profile.mainInfo).toMatchObject({ ...mainInfo, ...names })
      expect(await rowOf(user.id)).toMatchObject({ ...mainInfo, values: stored })

      // the card says it in the words of the definition
      const { tabs } = (await browser.send(configure, 'GET')).body as CallOutput<typeof configureProfile>
      const views = tabs.flatMap(({ subtypes }) => subtypes.flatMap(({ fields }) => fields))
      for (const { code, stored: value } of cases.filter(isKept)) {
        const view = views.find((field) => field.code === code)
        const words = [value].flat().map((each) => options.find((option) => option.code === each)?.title ?? each)
        const isOption = view?.options.length !== 0
        expect(
          shownParts(view as NonNullable<typeof view>, profile.additionalInfo[code]).map((part) =>
            part.as === 'yesNo' ? part.on : part.text,
          ),
        ).toEqual(isOption ? words : [value].flat())
      }

      // so does a file of the administration
      const row = await exported(mainInfo.login)
      for (const { code, ...field } of cases) {
        const view = views.find((one) => one.code === code) as FieldView
        const value = isKept({ code, ...field }) ? profile.additionalInfo[code] : undefined
        const words = shownParts(view, value).map((part) => (part.as === 'yesNo' ? yesNo(part.on) : part.text))
        expect(row[view.title], JSON.stringify(view)).toBe(words.join('; '))
      }

      const claims = await (await accountClaims(user.id))?.('openid profile fields', 'none')
      expect(claims).toMatchObject({
        name: names.fio,
        given_name: mainInfo.firstName,
        family_name: mainInfo.lastName,
        preferred_username: mainInfo.login,
        locale: mainInfo.locale,
      })
      const claimed = cases.filter((field) => isKept(field) && field.integration)
      expect(claims?.fields).toEqual(Object.fromEntries(claimed.map((field) => [field.code, field.stored])))

      // the history has each value that changed, once, with the one before
      const rows = await rowsOf(user.id)
      const last = (name: string) => rows.findLast(({ field }) => field === name)
      for (const { code } of sent) {
        expect(last(`field:${code}`)?.current ?? null).toEqual(stored[code] ?? null)
        const times = rows.filter(({ field }) => field === `field:${code}`).length
        expect(times).toBe(turn === 1 && stored[code] === undefined ? 2 : 1)
        expect(last(`field:${code}`)?.subtype).toBe('additional')
      }
      // a value that the account had already isn't recorded
      for (const [name, value] of Object.entries(mainInfo))
        if (last(name)) expect(last(name)?.current, name).toEqual(value || null)
        else expect(began[name as 'login'] || null, name).toEqual(value || null)
    }
    await removeFields()
  }
  expect(seen).toEqual(new Set(fieldTypes.filter((type) => type !== 'picture')))
})

test('hostile values are refused by field and change nothing, or are text that is kept as it came', async () => {
  const { browser, user } = await signedInWith()
  const fields = await Promise.all(
    samples.map(async ({ wishes }) => ({ code: await defineField({ ...(wishes as object) }), ...wishes })),
  )
  const values = hostileValues.filter((value) => typeof value !== 'boolean' && value !== null)
  let keptCount = 0
  for (const { code, fieldType } of fields)
    for (const value of values) {
      const description = `${fieldType}: ${JSON.stringify(value).slice(0, 60)}`
      const [before, rows] = [await rowOf(user.id), await rowsOf(user.id)]
      const firstName = before?.firstName === 'Чужая' ? 'Иная' : 'Чужая'
      const { status, body } = await patch(browser, { mainInfo: { firstName }, additionalInfo: { [code]: value } })
      if (status === 200) {
        const text = String(value).trim()
        // only texts take any text; nothing at all empties a field of any type
        if (text !== '') expect(['input', 'textarea'], description).toContain(fieldType)
        expect((await details(browser)).additionalInfo[code] ?? '', description).toBe(text)
        keptCount += text === '' ? 0 : 1
        continue
      }
      expect([400, 413], description).toContain(status)
      const { errorList = [] } = dataOf(body)
      // what is nested too deep is refused with the whole body
      const named = errorList.map(({ field }) => field.split('.')[0])
      const isWhole = typeof value === 'object' && named[0] === ''
      if (status === 400) expect(named, description).toEqual([isWhole ? '' : 'additionalInfo'])
      for (const fault of errorList) expect(fault.code, description).toMatch(/^error/)
      expect(await rowOf(user.id), description).toEqual(before)
      expect(await rowsOf(user.id), description).toEqual(rows)
    }
  expect(keptCount).toBeGreaterThan(10)
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
  // no more than the refusals that a person may collect
  const swap = async (n: number) => {
    const person = people[n % 2]
    if (!person) throw new Error('nobody')
    const [first, second] = n % 4 < 2 ? ['a', 'b'] : ['b', 'a']
    const additionalInfo = { [codes[0]]: first, [codes[1]]: second }
    return (await patch(person.browser, { additionalInfo })).status
  }
  const statuses = await Promise.all(Array.from({ length: 20 }, (_, n) => swap(n)))
  expect(statuses.filter((status) => status !== 200 && status !== 400)).toEqual([])
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
    dropCached('dynamic-fields')
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
