import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { containing } from '@/db/list'
import { contractors, organizations, roles, users } from '@/db/schema'
import { found } from '@/db/search'
import { listRoles, searchRoles } from '@/lib/access/roles/contract'
import { listUsers } from '@/lib/accounts/administration/contract'
import { searchContacts } from '@/lib/accounts/people-search/contract'
import { searchForm } from '@/lib/base/lists/search-form'
import { listContractors, searchContractors } from '@/lib/companies/contractors/contract'
import { listOrganizations, searchOrganizations } from '@/lib/companies/organizations/contract'
import { callerFor } from '../../factories/caller'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { anyText, partOf } from '../../factories/search-texts'
import { useTestDatabase } from '../../setup/database'

// The form of texts in PostgreSQL (docs/rules/pages.md#how-texts-are-found).

useTestDatabase()

const formsOf = async (texts: string[]) => {
  const { rows } = await db().execute<{ form: string }>(
    sql`select search_form(t) as form from unnest(${sql.param(texts)}::text[]) with ordinality one (t, n) order by n`,
  )
  return rows.map(({ form }) => form)
}

describe('the database and the code make the same form', () => {
  test('of every character that both know', async () => {
    // unassigned and private signs, halves of pairs, and what can't be stored
    const signs = Array.from({ length: 0x10ffff }, (_, n) => String.fromCodePoint(n + 1)).filter(
      (sign) => !/[\p{Cn}\p{Co}\p{Cs}]/u.test(sign),
    )
    const apart = async (texts: string[][]) => {
      const forms = await formsOf(texts.map((one) => one.join('а')))
      return texts.filter((one, n) => forms[n] !== searchForm(one.join('а')))
    }
    const together = Array.from({ length: Math.ceil(signs.length / 50) }, (_, n) => signs.slice(n * 50, n * 50 + 50))
    const different = (await apart((await apart(together)).flat().map((sign) => [sign, '']))).map(([sign = '']) => sign)
    // letters of a newer version of Unicode than the server's have no small and capital form there
    const { rows } = await db().execute<{ sign: string }>(sql`
      select sign from unnest(${sql.param(different)}::text[], ${sql.param(different.map((sign) => sign.toLowerCase()))}::text[]) one (sign, small)
      where lower(sign collate "und-x-icu") <> sign or upper(small collate "und-x-icu") <> small`)
    expect(rows.map(({ sign }) => sign.codePointAt(0)?.toString(16))).toEqual([])
    expect(different.length).toBeLessThan(500)
  })
  test('of texts that the database knows to be plain', async () => {
    const from = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, n) => String.fromCodePoint(first + n)).join('')
    const texts = [from(1, 0x7f), from(0x20, 0x7e), `${from(0x410, 0x44f)}Ёё ${from(0x61, 0x7e)}`, 'Ёж`', '']
    expect(await formsOf(texts)).toEqual(texts.map(searchForm))
  })
  test('of random texts', async () => {
    const random = caseNumbers(20_261_143)
    const texts = [...eachRound(3_000)].map(() => anyText(random))
    expect(await formsOf(texts)).toEqual(texts.map(searchForm))
  })
})

describe('the condition', () => {
  const finds = async (text: string, value: string, indexed: boolean) => {
    const { rows } = await db().execute<{ found: boolean; typed: boolean }>(sql`
      select ${found(text, [sql`v`], { indexed })} as found, v ilike ${containing(text)} as typed
      from (select ${value}::text as v) one`)
    return rows[0]
  }
  test('finds whatever contains the text as it was typed, in any case', async () => {
    const random = caseNumbers(20_261_144)
    let [typed, short] = [0, 0]
    for (const _ of eachRound(300, () => typed > 20 && short > 5)) {
      const value = anyText(random)
      const part = partOf(value, random)
      const text = [part, part.toLowerCase(), part.toUpperCase(), partOf(anyText(random), random)][random(4)] ?? ''
      if (searchForm(text).trim() === '') continue
      const [anywhere, inIndex] = [await finds(text, value, false), await finds(text, value, true)]
      if (text === part) expect([text, value, anywhere?.found]).toEqual([text, value, true])
      if (!anywhere?.typed) continue
      typed++
      expect([text, value, anywhere.found]).toEqual([text, value, true])
      // one short word alone is looked for at the beginning there, also with a space or a soft hyphen behind it
      if ([...searchForm(text).trim()].length < 3) short++
      else expect([text, value, inIndex?.found]).toEqual([text, value, true])
    }
    expect(Math.min(typed, short)).toBeGreaterThan(0)
  })
  test.each([
    ['100%', '1000', false],
    ['a_b', 'acb', false],
    ['\\%', '%', false],
    ['100%', '100% и', true],
    ['ли юй', 'Юй Ли', true],
    ['ли юй', 'Мали Буюй', false],
    ['али юй', 'Юйли Мали', true],
    ['иванов ив', 'Ива Иванов', true],
    // a word twice stands as it was typed
    ['É é', '-É é', true],
    ['É é', '-É о', false],
    // nothing is left to look for
    ['\u00ad', 'Ива', false],
    ['\u00ad\u0301 \u00ad', 'Ива', false],
  ])('%s in %s: %s', async (text, value, expected) => expect((await finds(text, value, true))?.found).toBe(expected))
})

describe('what people type is found', () => {
  const suffix = randomUUID().slice(0, 8)
  const called = `Е\u0308лкина-${suffix} O’Brien`
  const typed = [`елкина-${suffix}`, `ЁЛКИНА-${suffix}`, `o'brien елкина-${suffix}`, `O\`Brien  ёлкина-${suffix}`]
  const asked = async <T>(ask: (text: string) => Promise<T[]>) =>
    Promise.all(typed.map(async (text) => (await ask(text)).length))

  test('in the lists and choices of people, companies, roles and their invitations', async () => {
    await db().insert(users).values({ login: suffix, fio: called })
    const [contractor] = await db().insert(contractors).values({ name: called }).returning()
    await db().insert(organizations).values({ name: called, code: suffix })
    await db().insert(roles).values({ name: called, roleType: 'systemic' })
    const people = await callerFor(listUsers)
    const companies = await callerFor(listContractors)
    const places = await callerFor(listOrganizations)
    const kinds = await callerFor(listRoles)
    const search = (text: string) => ({ query: { filter: { search: text } } }) as never
    const choice = (text: string) => ({ query: { searchValue: text } }) as never
    const all = [
      await asked(async (text) => (await people.call(listUsers, search(text))).users),
      await asked(async (text) => (await people.call(searchContacts, choice(text))).contacts),
      await asked(async (text) => (await companies.call(listContractors, search(text))).contractors),
      await asked(async (text) => (await companies.call(searchContractors, choice(text))).contractors),
      await asked(async (text) => (await places.call(listOrganizations, search(text))).organizations),
      await asked(async (text) => (await places.call(searchOrganizations, choice(text))).organizations),
      await asked(async (text) => (await kinds.call(listRoles, search(text))).roles),
      await asked(async (text) => (await kinds.call(searchRoles, choice(text))).roles),
    ]
    expect(contractor).toBeDefined()
    expect(all).toEqual(all.map(() => [1, 1, 1, 1]))
  })

  test('in choices of people by two letters where a name begins with them, as in the lists of people', async () => {
    const two = `${String.fromCodePoint(0x4e00 + Number.parseInt(suffix.slice(0, 3), 16))}ъ`
    const names = [`${two}-${suffix}`, `Мали ${two}-${suffix}`]
    await db()
      .insert(users)
      .values(names.map((fio, at) => ({ login: `${at}-${suffix}`, fio })))
    const people = await callerFor(listUsers)
    const listed = await people.call(listUsers, { query: { filter: { search: two } } } as never)
    expect(listed.users).toHaveLength(1)
    const { contacts } = await people.call(searchContacts, { query: { searchValue: two } } as never)
    expect(contacts.map(({ fullName }) => fullName)).toEqual(names.slice(0, 1))
  })
})
