import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields } from '@/db/schema'
import * as calls from '@/lib/account-administration/user-import/contract'
import { dropCached, invalidate } from '@/lib/base/cache/cache'
import { signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { defineField } from '../../factories/fields'
import { importOf } from '../../factories/user-import'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const login = () => `import-${randomUUID().slice(0, 13)}`
const faultsOf = ({ faults }: { faults: { row: number; code: string; params: object }[] }) =>
  faults.map(({ row, code, params }) => [row, code, params])

test('says once which required fields no column holds, and of a row first what is wrong in its cells', async () => {
  const caller = new Caller((await signedInWith(['users.write'])).browser)
  await db().update(dynamicFields).set({ adminRequired: false })
  const [one, two] = [
    await defineField({ title: 'Пропуск', adminRequired: true }),
    await defineField({ title: 'Этаж', adminRequired: true }),
  ]
  await db()
    .update(dynamicFields)
    .set({ adminRequired: true })
    .where(and(eq(dynamicFields.type, 'users'), inArray(dynamicFields.code, ['fio', 'email'])))
  await invalidate(db(), 'dynamic-fields')
  dropCached('dynamic-fields')
  const existing = await createUser({ roles: [], login: login() })
  // every choice of columns: a row that fills them is refused for a missing column exactly if one is said to be missing
  const filled: Record<string, () => string> = {
    'field.fio': () => 'Вера Орлова',
    'field.lastName': () => 'Орлова',
    'field.email': () => `${login()}@example.com`,
    [`field.${one}`]: () => '12',
    [`field.${two}`]: () => '3',
  }
  const codes = Object.keys(filled)
  for (let choice = 0; choice < 2 ** codes.length; choice++) {
    const chosen = codes.filter((_, at) => choice & (1 << at))
    const has = (code: string) => chosen.includes(code)
    // a whole name beside a part of it is refused
    if (has('field.fio') && has('field.lastName')) continue
    const targets = ['field.login', ...chosen]
    const row = [login(), ...chosen.map((code) => filled[code]?.() ?? '')]
    const faulty = [login(), ...chosen.map((code) => (code === 'field.email' ? 'не почта' : (filled[code]?.() ?? '')))]
    const update = [existing.login, ...chosen.map(() => '')]
    const preview = await caller.call(calls.checkUserImport, { body: importOf(targets, [faulty, row, update]) })
    const lacking = [
      ...(has('field.fio') || has('field.lastName') ? [] : ['ФИО']),
      ...(has('field.email') ? [] : ['Электронная почта']),
      ...(has(`field.${one}`) ? [] : ['Пропуск']),
      ...(has(`field.${two}`) ? [] : ['Этаж']),
    ]
    expect(preview.lacking.titles.toSorted(), targets.join()).toEqual(lacking.toSorted())
    const names = { names: expect.stringContaining(lacking[0] ?? '') }
    const missing = (row: number) => (lacking.length > 0 ? [[row, 'userImportLacking', names]] : [])
    // the first row's e-mail is wrong where it has one, and is said before what the file lacks
    const wrong = has('field.email') ? [[2, 'errorEmail', { column: 'field.email' }]] : missing(2)
    expect(faultsOf(preview), targets.join()).toEqual([...wrong, ...missing(3)])
    expect(preview.lacking.rows).toBe(missing(3).length + (has('field.email') ? 0 : missing(2).length))
    expect(preview).toMatchObject({ update: 0, same: 1, create: lacking.length > 0 ? 0 : 1 })
    // who only updates needs none of them
    const only = await caller.call(calls.checkUserImport, { body: importOf(targets, [update], { mode: 'update' }) })
    expect(only).toMatchObject({ lacking: { titles: [], rows: 0 }, good: 1 })
  }
  const { targets } = await caller.call(calls.readImportColumns, {
    body: { file: importOf(['field.login'], [['a']]).file },
  })
  const required = targets.filter((target) => target.required).map(({ id }) => id)
  expect(required.toSorted()).toEqual(['field.fio', 'field.email', `field.${one}`, `field.${two}`].toSorted())
})
