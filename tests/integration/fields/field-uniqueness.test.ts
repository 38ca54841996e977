import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { contractors, dynamicFields, dynamicFieldUniques, users } from '@/db/schema'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { createContractor } from '@/lib/companies/contractors/service'
import { emptyRequisites } from '@/lib/companies/requisites'
import { uniqueText } from '@/lib/fields/values/definition'
import { changeUniqueness, findDoubles } from '@/lib/fields/values/uniqueness'
import { updateProfile } from '@/lib/my-account/personal/contract'
import { compose } from '@/lib/wiring/compose'
import { signedInWith } from '../../factories/access'
import type { Browser } from '../../factories/browser'
import { createContractor as createCompany } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { defineField } from '../../factories/fields'
import { eachRound } from '../../factories/random-cases'
import { handlerOf } from '../../factories/routes'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const patchProfile = handlerOf(updateProfile)

useTestDatabase()
beforeAll(() => compose())

const write = ['dynamic-fields.read', 'dynamic-fields.write'] as const
const idOf = async (code: string) => {
  const [row] = await db().select({ id: dynamicFields.id }).from(dynamicFields).where(eq(dynamicFields.code, code))
  return row?.id ?? ''
}
const isUnique = async (code: string) => {
  const [row] = await db().select().from(dynamicFields).where(eq(dynamicFields.code, code))
  return row?.unique
}
const change = async (ctx: Ctx, code: string, unique = true) => {
  const id = await idOf(code)
  return db().transaction((tx) => changeUniqueness(tx, ctx, id, unique))
}
const find = async (ctx: Ctx, code: string) => {
  const id = await idOf(code)
  return db().transaction((tx) => findDoubles(tx, ctx, id))
}
const rowsOf = async (code: string) =>
  db()
    .select()
    .from(dynamicFieldUniques)
    .where(eq(dynamicFieldUniques.fieldId, await idOf(code)))
const save = async (browser: Browser, code: string, value: string | null) => {
  const { status, body } = await browser.send(patchProfile, 'PATCH', { body: { additionalInfo: { [code]: value } } })
  const { errorList = [] } = ('data' in body ? body.data : {}) as { errorList?: { code: string }[] }
  return status === 200 ? 200 : errorList[0]?.code
}
const valuesOf = async (code: string) => {
  const rows = await db().select({ values: users.values }).from(users)
  return rows.flatMap(({ values }) => uniqueText(values[code]) ?? [])
}

describe('a field that becomes unique', () => {
  test('holds the values of older accounts at once, also where its earlier definition is remembered', async () => {
    const [ctx, person] = [await createContext({ methods: [...write] }), await signedInWith()]
    const code = await defineField()
    // this process remembers the definition from here on
    expect(await save(person.browser, code, 'own')).toBe(200)
    const older = await createUser({ values: { [code]: 'Ä-1 ' } })
    await createUser({ values: { [code]: ' \u200b ' } })
    await change(ctx, code)
    expect(await rowsOf(code)).toHaveLength(2)
    for (const sameValue of ['ä-1', ' Ä-1', 'a\u0308-1'])
      expect(await save(person.browser, code, sameValue)).toBe('errorUnique')
    // who has a value may save it again; what is given up is free
    expect(await save(person.browser, code, 'Own')).toBe(200)
    await db().delete(users).where(eq(users.id, older.id))
    expect(await save(person.browser, code, 'ä-1')).toBe(200)
    expect(await save((await signedInWith()).browser, code, 'own')).toBe(200)
  })

  test('is refused while values are repeated, names them to those who may read them, and stays as it was', async () => {
    const code = await defineField()
    for (const value of ['x', 'X', ' x', 'y', 'Y', 'z']) await createUser({ values: { [code]: value } })
    const errorOf = async (ctx: Ctx) => {
      const error = await change(ctx, code).then(
        () => null,
        (thrown: unknown) => thrown,
      )
      if (!(error instanceof AppError)) throw new Error('not refused')
      return error.data
    }
    const errorList = [{ field: 'unique', code: 'errorDoubles', params: { count: 2 } }]
    const blind = await createContext({ methods: [...write] })
    expect(await errorOf(blind)).toEqual({ errorList })
    expect(await find(blind, code)).toEqual({
      count: 2,
      doubles: [],
    })
    const seeing = await createContext({ methods: [...write, 'users.read'] })
    const doubles = [
      { value: expect.stringMatching(/^ ?x$/i), owners: 3 },
      { value: expect.stringMatching(/^y$/i), owners: 2 },
    ]
    expect(await errorOf(seeing)).toEqual({
      errorList,
      uniqueErrors: doubles.map((params) => ({ field: code, code: 'errorUnique', params })),
    })
    expect(await find(seeing, code)).toEqual({
      count: 2,
      doubles,
    })
    expect([await isUnique(code), await rowsOf(code)]).toEqual([false, []])
    // values may still be repeated
    expect(await save((await signedInWith()).browser, code, 'z')).toBe(200)
  })

  test('leaves no two accounts with one value, however people save meanwhile', async () => {
    const ctx = await createContext({ methods: [...write] })
    const people = await Promise.all(Array.from({ length: 8 }, () => signedInWith()))
    const outcomes = { unique: 0, refused: 0 }
    for (const round of eachRound(24)) {
      const code = await defineField()
      // a value of an older account, in half of the rounds of two
      await createUser({ values: { [code]: 'v0' } })
      if (round % 4 === 0) await createUser({ values: { [code]: 'V0' } })
      const saves = people.map(async ({ browser }, n) => {
        // in some rounds the change comes first, in others in the middle
        if (round % 3 === 0) await new Promise((done) => setImmediate(done))
        return save(browser, code, `v${(n + round) % 9}`)
      })
      const changed = change(ctx, code).then(
        () => 'unique' as const,
        () => 'refused' as const,
      )
      const again = people.map(({ browser }, n) => save(browser, code, `V${(n * 2 + round) % 9}`))
      outcomes[await changed]++
      for (const answer of await Promise.all([...saves, ...again])) expect([200, 'errorUnique']).toContain(answer)
      const values = await valuesOf(code)
      if (await isUnique(code)) {
        expect(new Set(values).size, `round ${round}`).toBe(values.length)
        // the database knows each of them
        expect(await rowsOf(code)).toHaveLength(values.length)
      }
    }
    expect(outcomes.unique).toBeGreaterThan(0)
    expect(outcomes.refused).toBeGreaterThan(0)
  })

  test('waits for nobody who changes something else, and nobody for it', async () => {
    const ctx = await createContext({ methods: [...write] })
    const people = await Promise.all(Array.from({ length: 6 }, () => signedInWith()))
    const codes = await Promise.all([defineField(), defineField()])
    const work = people.flatMap(({ browser, user }, n) => [
      save(browser, codes[n % 2] as string, randomUUID()),
      browser
        .send(patchProfile, 'PATCH', { body: { mainInfo: { firstName: `Имя${n}` } } })
        .then(({ status }) => status),
      n % 3 === 0 ? db().delete(users).where(eq(users.id, user.id)) : null,
    ])
    await Promise.all([...work, ...codes.map((code) => change(ctx, code))])
    for (const code of codes) expect(await isUnique(code)).toBe(true)
  })
})

describe('a field', () => {
  test('that is no longer unique lets values be repeated, and may become unique again once none is', async () => {
    const [ctx, one, other] = [await createContext({ methods: [...write] }), await signedInWith(), await signedInWith()]
    const code = await defineField({ unique: true })
    expect(await save(one.browser, code, 'a')).toBe(200)
    expect(await save(other.browser, code, 'A')).toBe('errorUnique')
    await change(ctx, code, false)
    expect(await rowsOf(code)).toEqual([])
    expect(await save(other.browser, code, 'A')).toBe(200)
    await expect(change(ctx, code)).rejects.toMatchObject({ status: 400 })
    expect(await save(other.browser, code, null)).toBe(200)
    await change(ctx, code)
    expect(await save(other.browser, code, 'A')).toBe('errorUnique')
  })

  test.each([{ fieldType: 'picture' }, { fieldType: 'toggle' }, { fieldType: 'combobox', multiple: true }] as const)(
    'never becomes unique: %j',
    async (wishes) => {
      const code = await defineField(wishes)
      const ctx = await createContext({ methods: [...write] })
      await expect(change(ctx, code)).rejects.toMatchObject({
        data: { errorList: [{ field: 'unique', code: 'errorNeverUnique' }] },
      })
    },
  )

  test('of contractors compares contractors, not people', async () => {
    const code = await defineField({ type: 'contractors' })
    await createUser({ values: { [code]: 'a' } })
    const ctx = await createContext({ methods: [...write, 'contractors.read', 'contractors.write'] })
    const company = async (value: string) => {
      const { id } = (await createCompany()).contractor
      await db()
        .update(contractors)
        .set({ values: { [code]: value } })
        .where(eq(contractors.id, id))
      return id
    }
    const [, double] = [await company('a'), await company('A')]
    await expect(change(ctx, code)).rejects.toMatchObject({
      data: { uniqueErrors: [{ params: { owners: 2 } }] },
    })
    await db().delete(contractors).where(eq(contractors.id, double))
    await change(ctx, code)
    const body = {
      name: `ООО ${randomUUID()}`,
      ...emptyRequisites,
      availableOrganizations: [],
      values: { [code]: 'a' },
    }
    await expect(createContractor(ctx, { body })).rejects.toMatchObject({
      data: { errorList: [{ field: `values.${code}`, code: 'errorUnique' }] },
    })
  })

  test('isn’t changed by who lacks the method, and an unknown one is 404', async () => {
    const code = await defineField()
    const reader = await createContext({ methods: ['dynamic-fields.read'] })
    await expect(change(reader, code)).rejects.toMatchObject({ status: 403 })
    await expect(find(await createContext({ methods: [] }), code)).rejects.toMatchObject({ status: 403 })
    const writer = await createContext({ methods: [...write] })
    await expect(db().transaction((tx) => changeUniqueness(tx, writer, randomUUID(), true))).rejects.toMatchObject({
      status: 404,
    })
    expect(await db().$count(dynamicFields, and(eq(dynamicFields.code, code), eq(dynamicFields.unique, true)))).toBe(0)
  })
})
