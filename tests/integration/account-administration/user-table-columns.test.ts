import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields, providers, roles, userContractorRoles, users } from '@/db/schema'
import * as calls from '@/lib/account-administration/user-import/contract'
import { createRoleWith, signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { createContractor, createContractorRole } from '../../factories/companies'
import type { Loose } from '../../factories/configuration'
import { defineField, itemsOf } from '../../factories/fields'
import { first } from '../../factories/platform'
import { imported, importOf, planned } from '../../factories/user-import'
import { createUser } from '../../factories/users'
import { inline, row, workbook } from '../../factories/workbook'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
// what new accounts must have is the matter of other tests
beforeAll(() => db().update(dynamicFields).set({ adminRequired: false }))

const login = () => `table-${randomUUID().slice(0, 13)}`

async function directory() {
  const values = { type: 'keycloak', name: `Каталог ${randomUUID()}`, url: 'https://d.example', clientId: 'a' } as const
  return first(
    await db()
      .insert(providers)
      .values({ ...values, clientSecret: 'x' })
      .returning(),
  ).id
}

const reader = async () => new Caller((await signedInWith(['users.write'])).browser)
const columnsOf = async (caller: Caller, text: string | Uint8Array<ArrayBuffer>, wishes = {}) =>
  caller.call(calls.readImportColumns, { body: { file: new File([text], 'a.csv'), ...wishes } })
const targetsOf = async (text: string) => (await columnsOf(await reader(), text)).columns.map(({ target }) => target)
const rowOf = async (name: string) => first(await db().select().from(users).where(eq(users.login, name)))
const check = async (caller: Caller, body: ReturnType<typeof importOf>) => caller.call(calls.checkUserImport, { body })
const faultsIn = (preview: { faults: { row: number; code: string; params: object }[] }) =>
  preview.faults.map(({ row: at, code, params }) => [at, code, params])

describe('a change', () => {
  test('is shown by cell, with what is there now', async () => {
    const caller = await reader()
    const field = await defineField({ fieldType: 'dropbox', multiple: true, items: itemsOf('a', 'b') })
    const role = await createContractorRole([], 'systemic')
    const existing = await createUser({ roles: [], login: login(), fio: 'Было', values: { [field]: ['a'] } })
    const fresh = login()
    const targets = ['field.login', 'field.fio', `field.${field}`, 'roles', null]
    const rows = [
      [existing.login, 'Стало', 'Пункт a; Пункт b', role.name, 'x'],
      [fresh, 'Новая', '', '', ''],
      [existing.login.replace('table', 'gone'), '', '', 'Нет такой', ''],
    ]
    const preview = await check(caller, importOf(targets, rows))
    expect(preview).toMatchObject({ good: 2, create: 1, update: 1, same: 0, unused: ['unused 4'] })
    expect(preview.rows).toEqual([
      {
        ...{ row: 2, title: existing.login, create: false },
        changes: [
          { column: 'field.fio', before: 'Было', after: 'Стало' },
          { column: `field.${field}`, before: 'Пункт a', after: 'Пункт a; Пункт b' },
          { column: 'roles', before: '', after: role.name },
        ],
      },
      {
        ...{ row: 3, title: fresh, create: true },
        changes: [
          { column: 'field.login', before: '', after: fresh },
          { column: 'field.fio', before: '', after: 'Новая' },
        ],
      },
    ])
  })

  test('of somebody who holds more, and of what a directory keeps, is refused as before', async () => {
    const caller = await reader()
    const provider = await directory()
    const strong = await createUser({
      roles: [await createRoleWith(['license.write'])],
      login: login(),
      fio: 'Сильный',
    })
    const ofDirectory = await createUser({ roles: [], login: login(), fio: 'Из каталога', providerId: provider })
    const beyond = first(
      await db()
        .select()
        .from(roles)
        .where(eq(roles.code, await createRoleWith(['license.write']))),
    )
    const plain = await createUser({ roles: [], login: login() })
    const rows = [
      [strong.login, 'Сильный', ''],
      [strong.login.toUpperCase(), 'Слабый', ''],
      [ofDirectory.login, 'из каталога', ''],
      [plain.login, '', beyond.name],
    ]
    const targets = ['field.login', 'field.fio', 'roles']
    const faults = [
      [2, 'forbiddenUser', {}],
      [3, 'errorDirectoryField', { column: 'field.fio' }],
      [4, 'userImportRoleBeyond', { name: beyond.name }],
    ]
    expect(faultsIn(await check(caller, importOf(targets, rows.slice(1))))).toEqual(faults)
    const same = await check(caller, importOf(targets, [rows[0] ?? [], [ofDirectory.login, ' Из  каталога ', '']]))
    expect(same).toMatchObject({ same: 2, update: 0, faults: [] })
    const { run } = await imported(caller, importOf(targets, [rows[0] ?? []]))
    expect(run).toMatchObject({ done: 1, failed: 0 })
  })

  test('of a name says nothing if it is the same name, in whatever order its language has', async () => {
    const caller = await reader()
    const parts = { lastName: 'Popescu', firstName: 'Andrei', middleName: '' }
    const existing = await createUser({ roles: [], login: login(), fio: 'Andrei Popescu', ...parts })
    const file = importOf(['field.login', 'field.fio', 'field.comment'], [[existing.login, 'Andrei  Popescu', 'x']])
    await imported(caller, file)
    expect(await rowOf(existing.login)).toMatchObject({ fio: 'Andrei Popescu', comment: 'x', ...parts })
  })
})

describe('a name of a column', () => {
  test.each([
    ['Surname;Name;Login', ['field.lastName', 'field.firstName', 'field.login']],
    ['Фамилия;Имя;Логин', ['field.lastName', 'field.firstName', 'field.login']],
    ['ФИО;Full name;Логин', ['field.fio', null, 'field.login']],
    ['Full name;Имя;Фамилия', [null, 'field.firstName', 'field.lastName']],
    ['Mobile phone;Мобильный телефон;Date of birth', ['field.mobile', null, 'field.birthDate']],
  ])('%s', async (head, targets) => {
    expect(await targetsOf(`${head}\na;b;c`)).toEqual(targets)
  })

  test('that was the whole name is the first one beside a last name', async () => {
    const caller = await reader()
    await imported(
      caller,
      planned(new File([`login;Name\n${login()};Иван Иванов`], 'a.csv'), ['field.login', 'field.fio']),
    )
    const { columns } = await columnsOf(caller, 'login;Surname;Name\na;Иванов;Иван')
    expect(columns.map(({ target }) => target)).toEqual(['field.login', 'field.lastName', 'field.firstName'])
  })

  test('that means two things holds nothing until somebody chooses', async () => {
    const caller = await reader()
    await defineField({ title: 'Подразделение', titleEn: 'Unit' })
    await defineField({ title: 'Отдел', titleEn: 'Подразделение' })
    const { columns } = await columnsOf(caller, 'Имя;Подразделение;Логин\na;b;c')
    expect(columns.map(({ target, doubt }) => [target, doubt])).toEqual([
      [null, true],
      [null, true],
      ['field.login', false],
    ])
  })

  test('a whole name beside a part of it is refused, and nobody is called by half of a name', async () => {
    const caller = await reader()
    const name = login()
    const body = importOf(['field.login', 'field.lastName', 'field.fio'], [[name, 'Иванов', 'Иван']])
    const { status, body: answer }: Loose = await caller.send(calls.startUserImport, { body })
    expect(status).toBe(400)
    expect(answer.data.errorList).toEqual([
      { field: 'columns', code: 'userImportNames', params: { name: 'field.fio' } },
    ])
    expect(await db().$count(users, eq(users.login, name))).toBe(0)
  })
})

describe('a cell', () => {
  test('with a date in slashes needs to be told what stands first, by column', async () => {
    const caller = await reader()
    const [field, names] = [await defineField({ fieldType: 'date' }), [login(), login()]]
    const targets = ['field.login', `field.${field}`, null]
    const rows = names.map((name, n) => [name, n ? '04/01/1981' : '15.02.1981', '04/01/1981'])
    const body = importOf(targets, rows)
    const { columns } = await caller.call(calls.readImportColumns, { body: { file: body.file } })
    expect(columns.map(({ slashes }) => slashes)).toEqual([false, true, true])
    const { status, body: answer }: Loose = await caller.send(calls.checkUserImport, { body })
    expect([status, answer.data.errorList]).toEqual([
      400,
      [{ field: 'columns', code: 'userImportDayOrder', params: { name: `field.${field}` } }],
    ])
    for (const [order, day] of [
      ['month', '1981-04-01'],
      ['day', '1981-01-04'],
    ]) {
      await imported(caller, { ...body, dayOrders: JSON.stringify([null, order, null]) } as typeof body)
      expect((await rowOf(names[1] ?? '')).values).toEqual({ [field]: day })
    }
    expect((await rowOf(names[0] ?? '')).values).toEqual({ [field]: '1981-02-15' })
  })

  test('with an error or a formula without a result is broken, and not empty', async () => {
    const caller = await reader()
    const existing = await createUser({ roles: [], login: login(), comment: 'x' })
    const names = [login(), login()]
    const cells = (name: string, more: string) => row(inline(name), `<c r="B1" ${more}</c>`)
    const sheet = [
      row(inline('login'), inline('comment')),
      cells(existing.login, 't="e"><v>#N/A</v>'),
      cells(names[0] ?? '', '><f>A1+1</f>'),
      cells(names[1] ?? '', 't="str"><f>A1</f><v></v>'),
    ]
    const file = new File([new Uint8Array(workbook(sheet.join('')))], 'a.xlsx')
    const targets = ['field.login', 'field.comment']
    const broken = (text: string, column = 'comment') => ['userImportBroken', { column, text }]
    expect(faultsIn(await check(caller, planned(file, targets)))).toEqual([
      [2, ...broken('#N/A')],
      [3, ...broken('#CALC!')],
    ])
    expect(await check(caller, planned(file, ['field.login', null]))).toMatchObject({ good: 3 })
    const csv = new File([`login;comment\n${existing.login};#ССЫЛКА!\n${names[0]};'#N/A\n#N/A;x`], 'a.csv')
    expect(faultsIn(await check(caller, planned(csv, targets)))).toEqual([
      [2, ...broken('#ССЫЛКА!')],
      [4, ...broken('#N/A', 'login')],
    ])
  })

  test('with more than a number is refused, and a phone keeps its extension', async () => {
    const caller = await reader()
    const field = await defineField({ fieldType: 'phone' })
    const typed = [
      '8 (495) 123-45-67 доб. 12',
      '+7 495 123-45-67 (Anna)',
      '+7 495 123-45-67, вн. 7',
      '+7495123\u200b4567',
    ]
    const names = typed.map(login)
    const rows = typed.map((cell, n) => [names[n] ?? '', cell, ''])
    const mobiles = ['+7 921 123-45-67 доб. 12', '+7 921 123-45-67 (Anna)', '\u202a+7 921 123-45-67'].map((cell) => [
      login(),
      '',
      cell,
    ])
    const targets = ['field.login', `field.${field}`, 'field.mobile']
    const { faults } = await imported(caller, importOf(targets, [...rows, ...mobiles]))
    expect(faultsIn({ faults })).toEqual([
      [3, 'errorMobile', { column: `field.${field}` }],
      [5, 'errorChars', { column: `field.${field}` }],
      [6, 'errorMobile', { column: 'field.mobile' }],
      [7, 'errorMobile', { column: 'field.mobile' }],
      [8, 'errorChars', { column: 'field.mobile' }],
    ])
    expect((await rowOf(names[0] ?? '')).values).toEqual({ [field]: '+74951234567;ext=12' })
    expect((await rowOf(names[2] ?? '')).values).toEqual({ [field]: '+74951234567;ext=7' })
  })

  test('with invisible characters names nobody, as where people sign in', async () => {
    const caller = await reader()
    const hidden = (text: string) => `${text.slice(0, 3)}\u200b${text.slice(3)}`
    const existing = await createUser({ roles: [], login: login(), externalId: `ext-${randomUUID()}` })
    const keyedImport = (target: string, cell: string, by: 'login' | 'email' | 'externalId') =>
      importOf([target, 'field.comment'], [[cell, 'x']], { by, mode: 'update' })
    const keys = [
      keyedImport('field.login', hidden(existing.login), 'login'),
      keyedImport('field.email', hidden(existing.email), 'email'),
      keyedImport('externalId', hidden(existing.externalId ?? ''), 'externalId'),
    ]
    keys.push(
      keyedImport('field.login', `${existing.login}\ufeff`, 'login'),
      keyedImport('field.email', `\ufeff${existing.email}`, 'email'),
    )
    for (const body of keys) expect(faultsIn(await check(caller, body))).toMatchObject([[2, 'errorChars', {}]])
    const given = importOf(
      ['field.login', 'externalId', 'field.email'],
      [
        [login(), hidden('ext-1'), ''],
        [login(), '', hidden('a@x.example')],
      ],
    )
    expect(faultsIn(await check(caller, given))).toMatchObject([
      [2, 'errorChars', { column: 'externalId' }],
      [3, 'errorChars', { column: 'field.email' }],
    ])
  })
})

describe('a file', () => {
  test('is read in the encoding that was chosen; a few broken bytes make nothing windows-1251', async () => {
    const caller = await reader()
    const text = Buffer.from(`Логин;Комментарий\n${login()};Всё хорошо\n${login()};Плохо _ тут`)
    text[text.indexOf('_')] = 0xff
    const bytes = new Uint8Array(text)
    const first_ = await columnsOf(caller, bytes)
    expect(first_.source).toMatchObject({ encoding: 'utf-8' })
    expect(first_.columns[0]).toMatchObject({ name: 'Логин', target: 'field.login' })
    const body = planned(new File([bytes], 'a.csv'), ['field.login', 'field.comment'])
    const preview = await check(caller, body)
    expect(faultsIn(preview)).toEqual([[3, 'userImportUnreadable', { column: 'Комментарий' }]])
    const chosen = await columnsOf(caller, bytes, { encoding: 'windows-1251' })
    expect(chosen.source).toMatchObject({ encoding: 'windows-1251' })
    expect(faultsIn(await check(caller, { ...body, encoding: 'windows-1251' } as typeof body))).toEqual([])
    expect((await caller.send(calls.readImportColumns, { body: { file: body.file, encoding: 'ebcdic' } })).status).toBe(
      400,
    )
  })

  test('is read from the sheet that was chosen', async () => {
    const caller = await reader()
    const sheet = (...cells: string[]) => `<worksheet><sheetData>${cells.join('')}</sheetData></worksheet>`
    const name = login()
    const zip = workbook(row(inline('login')) + row(inline('x')), {
      'xl/workbook.xml':
        '<workbook xmlns:r="urn:r"><sheets><sheet name="Скрытый" state="hidden" r:id="a"/><sheet name="Люди" r:id="b"/><sheet name="Ещё" r:id="c"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="b" Target="worksheets/sheet2.xml"/><Relationship Id="c" Target="worksheets/sheet3.xml"/></Relationships>',
      'xl/worksheets/sheet3.xml': sheet(row(inline('login')), row(inline(name))),
    })
    const file = new File([new Uint8Array(zip)], 'a.xlsx')
    const read = (number?: number) =>
      caller.send(calls.readImportColumns, { body: { file, ...(number ? { sheet: String(number) } : {}) } })
    expect((await read()).body.source).toEqual({ kind: 'xlsx', sheet: 1, sheets: ['Люди', 'Ещё'] })
    expect((await read(2)).body).toMatchObject({ source: { sheet: 2 }, columns: [{ samples: [name] }] })
    expect(((await read(3)) as Loose).body.data.errorList).toEqual([{ field: 'file', code: 'tableSheet', params: {} }])
    const body = { ...planned(file, ['field.login']), sheet: '2' } as ReturnType<typeof planned>
    await imported(caller, body)
    expect((await rowOf(name)).login).toBe(name)
  })

  test('names roles in their places, so that one row gives several of them', async () => {
    const caller = await reader()
    const [one_, other] = [await createContractor(), await createContractor()]
    const role = await createContractorRole([])
    const name = login()
    const places = [one_, other].map(
      ({ contractor, organization }) => `${role.nameEn} / ${organization.name} / ${contractor.inn}`,
    )
    const companies = [one_, other].map(({ contractor }) => contractor.name).join('\n')
    await imported(caller, importOf(['field.login', 'roles', 'contractors'], [[name, places.join(' | '), companies]]))
    const heldRoles = await db()
      .select({ company: userContractorRoles.contractorId })
      .from(userContractorRoles)
      .where(sql`${userContractorRoles.userId} = ${(await rowOf(name)).id}`)
    expect(heldRoles.map(({ company }) => company).sort()).toEqual([one_.contractor.id, other.contractor.id].sort())
  })
})
