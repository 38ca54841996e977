import { randomUUID } from 'node:crypto'
import { asc, eq, inArray } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  contractors,
  dynamicFields,
  history,
  organizations,
  providers,
  roles,
  runs,
  userContractorRoles,
  userContractors,
  userRoles,
  users,
} from '@/db/schema'
import type { ImportColumns } from '@/lib/account-administration/user-import/contract'
import { checkUserImport, readImportColumns, startUserImport } from '@/lib/account-administration/user-import/service'
import { exportUsers } from '@/lib/accounts/administration/export'
import type { Ctx } from '@/lib/base/context/ctx'
import type { UploadedFile } from '@/lib/base/contracts/file'
import { createRoleWith, signedInWith } from '../../factories/access'
import { type Company, createContractor, createContractorRole, join } from '../../factories/companies'
import { defineField, itemsOf } from '../../factories/fields'
import { contextOf } from '../../factories/invitations'
import { first } from '../../factories/platform'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { setSetting } from '../../factories/settings'
import { workOnImport } from '../../factories/user-import'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
// what new accounts must have is the matter of other tests
beforeAll(() => db().update(dynamicFields).set({ adminRequired: false }))

const below = caseNumbers(51)
const one = <T>(...list: readonly T[]): T => list[below(list.length)] as T
const login = () => `table-${randomUUID().slice(0, 13)}`

/** Texts that a file could take for something else. */
const odd = [
  ...["'=1", "'", "''+7", "'#N/A", '=1+1', '+7', '-', '@a', ' =1', '＝1', '\t=1', '#N/A', '#ДЕЛ/0!', 'ё'],
  ...[
    'a;b',
    'a|b',
    'a,b',
    'a / b',
    '"q"',
    'two\nlines',
    'two\r\nlines',
    'end\n',
    '\ttab',
    '😀 ❤️',
    '_x0041_',
    '\ufeffx',
  ],
  ...['да', 'NULL', '004', '1e5', '…', '04/01/1981', '1.2.2020', 'true', '\u00a0x', 'x\u200by', 'x\u007fy', '\ufffd'],
] as const

/** Options whose titles are alike, have separators, or are those of others in the other language. */
const hostileItems = [
  { code: 'a', value: 'Другое', valueEn: 'Other', order: 0 },
  { code: 'b', value: 'Другое', valueEn: 'Another', order: 1 },
  { code: 'c', value: 'x; y', valueEn: 'x | y', order: 2 },
  { code: 'd', value: 'Other', valueEn: 'D', order: 3 },
  { code: 'e', value: 'a', valueEn: 'E, F', order: 4 },
  { code: 'f', value: 'ёж', valueEn: 'Еж', order: 5 },
].map((item) => ({ id: randomUUID(), ...item }))
const days = ['0001-01-01', '0999-12-31', '1000-01-01', '1899-12-31', '1900-01-01', '1900-02-28', '1900-03-01']
const moreDays = ['1904-01-01', '1981-04-01', '2024-02-29', '9999-12-31']

/** Fields of each kind with values of accounts: what may be written, and what an earlier definition let in. */
async function someFields() {
  const titled = { title: 'Имя', titleEn: 'Name' }
  const choice = { items: hostileItems }
  return {
    [await defineField()]: () => one(...odd),
    [await defineField({ pattern: '^\\d+$', maxLength: 2 })]: () => one(...odd, '12'),
    [await defineField({ fieldType: 'textarea', ...titled })]: () => one(...odd),
    [await defineField({ fieldType: 'combobox', ...choice })]: () => one('a', 'b', 'c', 'd', 'e', 'f', 'gone', '5'),
    [await defineField({ fieldType: 'dropbox', multiple: true, ...choice })]: () =>
      ['a', 'b', 'c', 'd', 'e', 'f', 'gone; x'].filter(() => below(2) === 0),
    [await defineField({ fieldType: 'dropbox', multiple: true, items: itemsOf('one', 'two', 'three') })]: () => [
      'one',
      'three',
    ],
    [await defineField({ fieldType: 'toggle', ...titled })]: () => one<unknown>(true, false, 'да', 5),
    [await defineField({ fieldType: 'date', title: 'День' })]: () => one(...days, ...moreDays, 'не дата'),
    [await defineField({ fieldType: 'date', title: 'День' })]: () => one(...days, ...moreDays),
    [await defineField({ fieldType: 'phone' })]: () =>
      one('+74951234567', '+74951234567;ext=12', '+442071234567', '12'),
    [await defineField({ fieldType: 'email' })]: () => one("'o@x.example", '+o@x.example', 'O@X.example'),
    [await defineField({ adminEdit: false })]: () => one(...odd),
  } satisfies Record<string, () => unknown>
}

async function directory() {
  const values = { type: 'keycloak', name: `Каталог ${randomUUID()}`, url: 'https://d.example', clientId: 'a' } as const
  return first(
    await db()
      .insert(providers)
      .values({ ...values, clientSecret: 'x' })
      .returning(),
  ).id
}

/** Roles whose names have separators, or are alike; each with the place in which it is held. */
async function someRoles(companies: readonly [Company, Company]) {
  const named = async (roleType: 'systemic' | 'organizational' | 'contractor', name: string) =>
    first(
      await db()
        .insert(roles)
        .values({ name, nameEn: `${name} en`, roleType })
        .returning(),
    )
  const mark = randomUUID().slice(0, 6)
  const [place, other] = companies.map(({ organization }) => organization)
  await db()
    .update(organizations)
    .set({ name: `АО «${mark}; Север / Юг»` })
    .where(eq(organizations.id, place?.id ?? ''))
  return {
    systemic: [
      await named('systemic', `Роль ${mark}`),
      await named('systemic', `Роль; с, знаками / ${mark}`),
      await named('systemic', `Двойная ${mark}`),
      await named('systemic', `Двойная ${mark}`),
    ],
    organizational: [
      await named('organizational', `В организации ${mark}`),
      // called as the first one in its place
      await named('organizational', `В организации ${mark} / ${other?.name}`),
    ],
    contractor: [await named('contractor', `Для контрагента ${mark}`), await createContractorRole([])],
  }
}

/** Accounts of an instance, with everything that an account may have. */
async function someAccounts() {
  const fields = await someFields()
  const provider = await directory()
  const companies = [await createContractor(), await createContractor()] as const
  const [same] = companies
  const twin = await createContractor()
  await db().update(contractors).set({ name: same.contractor.name }).where(eq(contractors.id, twin.contractor.id))
  const rolesByType = await someRoles(companies)
  const strong = await createRoleWith(['license.write'])
  const ids: string[] = []
  for (let n = 0; n < 12; n++) {
    const values = Object.fromEntries(
      Object.entries(fields).flatMap(([code, value]) => (below(4) ? [[code, value()]] : [])),
    )
    const name = one('Popescu Andrei', 'Andrei Popescu', 'Иванов Иван Иванович', 'Орлова', "'=O", '')
    const parts = name.split(' ')
    const names = { lastName: parts[1] ?? '', firstName: parts[0] ?? '', middleName: one('', 'Мид') }
    const { id } = await createUser({
      login: login(),
      fio: name,
      ...names,
      roles: n % 5 === 4 ? [strong] : [],
      values: values as never,
      mobile: one(null, `+7921${String(below(10_000_000)).padStart(7, '0')}`),
      email: one(null, `p-${randomUUID()}@polaris.example`),
      externalId: one(null, `${one("'=", '', '+', '#N/A ')}${randomUUID()}`),
      providerId: n % 3 === 2 ? provider : null,
      birthDate: one(null, '1981-04-01', '1899-01-01'),
      gender: one(null, 'man', 'woman'),
      locale: one(null, 'ru', 'en', 'de'),
      comment: one('', ...odd),
      enabled: below(5) > 0,
    })
    ids.push(id)
    for (const role of rolesByType.systemic)
      if (below(2) === 0) await db().insert(userRoles).values({ userId: id, roleId: role.id })
    for (const { organization } of companies)
      for (const role of rolesByType.organizational)
        if (below(3) === 0)
          await db().insert(userRoles).values({ userId: id, roleId: role.id, organizationId: organization.id })
    for (const company of [...companies, twin])
      if (below(2) === 0)
        await join(
          company,
          id,
          rolesByType.contractor.filter(() => below(2) === 0).map((role) => role.id),
        )
  }
  return ids
}

const uploaded = (bytes: Uint8Array) => ({ bytes: async () => bytes }) as unknown as UploadedFile

async function fileOf(ctx: Ctx, format: 'csv' | 'xlsx') {
  const list = { page: 1, perPage: 7, after: undefined, before: undefined, only: undefined, filter: {} }
  const { chunks } = await exportUsers(ctx, { query: { format, list: { ...list, sortBy: 'name', sort: 'asc' } } })
  const parts: Buffer[] = []
  for await (const chunk of chunks) parts.push(Buffer.from(chunk as Uint8Array))
  return uploaded(Buffer.concat(parts))
}

/** What a person sends who takes every suggestion. */
const suggested = (file: UploadedFile, { columns, choices: { by, mode, sendLinks } }: ImportColumns) => ({
  file,
  columns: JSON.stringify(columns.map(({ target }) => target)),
  ...{ by, mode, sendLinks: sendLinks ? ('true' as const) : ('false' as const) },
})

/** Everything that an import can write. */
async function everything() {
  const textsOf = async (rows: Promise<object[]>) => (await rows).map((each) => JSON.stringify(each)).sort()
  return {
    people: await textsOf(db().select().from(users).orderBy(asc(users.id))),
    roles: await textsOf(db().select().from(userRoles)),
    contractors: await textsOf(db().select().from(userContractors)),
    contractorRoles: await textsOf(db().select().from(userContractorRoles)),
    history: await db().$count(history, inArray(history.entity, ['users', 'roles', 'contractors'])),
  }
}

test('an export of random accounts, imported as it is, changes nothing and says so, whoever they are', async () => {
  const { browser } = await signedInWith(['users.write'])
  const base = await contextOf(browser)
  for (const round of eachRound(3)) {
    await someAccounts()
    // nothing of an earlier import is remembered
    await db().delete(runs)
    for (const format of ['csv', 'xlsx'] as const) {
      // both forms of the name are shown in turn
      await setSetting('useUserFio', (format === 'csv') === (round % 2 === 0))
      for (const written of ['ru', 'en'])
        for (const read of ['ru', 'en']) {
          const situation = `${format}, written in ${written}, read in ${read}`
          const file = await fileOf({ ...base, locale: written }, format)
          const ctx = { ...base, locale: read }
          const before = await everything()
          const body = suggested(file, await readImportColumns(ctx, { body: { file } }))
          expect(body.columns, situation).toContain('"roles","contractors"')
          const preview = await checkUserImport(ctx, { body })
          expect(preview.faults.slice(0, 3), situation).toEqual([])
          expect(preview, situation).toMatchObject({ create: 0, update: 0, same: preview.total, rows: [] })
          if (format === 'csv' && written !== read) continue
          const { id } = await startUserImport(ctx, { body })
          await workOnImport(id)
          const [run] = await db().select({ failed: runs.failed, done: runs.done }).from(runs).where(eq(runs.id, id))
          expect(run, situation).toEqual({ failed: 0, done: preview.total })
          expect(await everything(), situation).toEqual(before)
        }
    }
  }
  await setSetting('useUserFio', true)
}, 240_000)
