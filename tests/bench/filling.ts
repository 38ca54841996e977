import { createHash } from 'node:crypto'
import pg from 'pg'

/** A name that differs from others as those of companies and people do. */
export const wordOf = (n: number) =>
  [...createHash('md5').update(String(n)).digest('hex').slice(0, 10)]
    .map((digit) => 'абвгдежзиклмнопр'[Number.parseInt(digit, 16)])
    .join('')
/** The same in SQL. */
export const word = (n: string) => `translate(left(md5((${n})::text), 10), '0123456789abcdef', 'абвгдежзиклмнопр')`

/** An inn that no other number has, and the same in SQL. */
export const innOf = (n: number) => String(1_000_000_000 + ((n * 2_654_435_761) % 8_999_999_993))
export const inn = (n: string) => `(1000000000 + ((${n})::bigint * 2654435761) % 8999999993)::text`

/** The query of a list that searches a text. */
export const searched = (text: string) => `?${new URLSearchParams({ 'filter[search]': text })}`

/** Brings the contractors whose external codes begin so to a number. */
export const contractorsUpTo = (count: number, code: string, name: string) =>
  `insert into contractors (name, inn, kpp, external_code, created_at, updated_at)
    select ${name}, ${inn('n')}, '770101001', '${code}' || n, now(), now() - n * interval '1 minute'
    from generate_series((select count(*) from contractors where external_code ~ '^${code}[0-9]') + 1, ${count}::bigint) n`

/** Brings the accounts whose logins begin with `measured-` to a number. */
export const peopleUpTo = (count: number) =>
  `insert into users (login, email, fio)
    select 'measured-' || n, 'measured-' || n || '@polaris.example', ${word('n')} || ' ' || ${word('-n')}
    from generate_series((select count(*) from users where login like 'measured-%') + 1, ${count}) n`

/**
 * Fills a database as its owner, and cleans it up. Prints the plan of each question, whose name is followed by `of`: as
 * the questions may need tables of the filling, they are asked over its connection.
 */
export async function fill(ownerUrl: string, filling: readonly string[], questions: object = {}, of = '') {
  const owner = new pg.Client(ownerUrl)
  await owner.connect()
  try {
    for (const statement of filling) await owner.query(statement)
    await owner.query('vacuum analyze')
    for (const [what, question] of Object.entries(questions)) {
      const plan = await owner.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers, costs off) ${question}`)
      console.log(`${what}, of ${of}\n${plan.rows.map((row) => `  ${row['QUERY PLAN']}`).join('\n')}`)
    }
  } finally {
    await owner.end()
  }
}
