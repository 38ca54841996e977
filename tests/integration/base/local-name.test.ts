import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { nameAmongColumns } from '@/db/local-name'
import { blanks, nameAmong } from '@/lib/base/i18n/local-name'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

/** Random numbers, the same in each run. */
let seed = 20_261_122
const random = (below: number) => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed % below
}
const one = <T>(list: readonly T[]) => list[random(list.length)] as T

const languages = ['ru', 'en', 'de', '__proto__', 'constructor'] as const
const words = ['Офис', 'office', 'Ёлка', 'z', 'Я', 'a b', ' lead', 'o’k', "quote'd", '\\', '%', '🖥', 'ａ']
const value = () => one([null, '', ' ', one([...blanks]), blanks, one(words), one(words), one(words) + random(9)])

type Row = { names: Record<string, string | null>; code: string | null }
const rows: Row[] = Array.from({ length: 400 }, () => ({
  names: Object.fromEntries(languages.map((language) => [language, value()])),
  code: one([null, '', 'code', one(words)]),
}))
// Object.fromEntries creates an own property with this name, as JSON.parse does
const given = ({ names }: Row) =>
  languages.map((language) => Object.entries(names).find(([code]) => code === language)?.[1])

test.each([...languages, 'fr', '', 'toString', "'; drop table users; --"])(
  'PostgreSQL names as TypeScript does, and sorts by what is shown: %j',
  async (locale) => {
    const columns = Object.fromEntries(languages.map((language, at) => [language, sql.raw(`v.n${at}`)]))
    const shownName = nameAmongColumns(columns, locale, sql.raw('v.code'))
    const values = sql.join(
      rows.map((row, at) => {
        const cells = [...given(row), row.code].map((text) => sql`${text}::text`)
        return sql`(${sql.raw(String(at))}, ${sql.join(cells, sql`, `)})`
      }),
      sql`, `,
    )
    const result = await db().execute<{ at: number; shown: string }>(
      sql`select v.at, ${shownName} as shown from (values ${values}) as v (at, n0, n1, n2, n3, n4, code)
        order by (${shownName}) collate "C", v.at`,
    )
    const expected = rows.map(({ names, code }, at) => ({ at, shown: nameAmong(names, locale, code) }))
    expect(result.rows.toSorted((a, b) => a.at - b.at)).toEqual(expected)
    const bytes = (text: string) => Buffer.from(text)
    expect(result.rows).toEqual(
      expected.toSorted((a, b) => Buffer.compare(bytes(a.shown), bytes(b.shown)) || a.at - b.at),
    )
  },
)
