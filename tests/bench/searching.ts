import { asc, or, type SQL, sql } from 'drizzle-orm'
import { startEmbeddedBeside } from '@/bin/embedded'
import { allowLongStatements, closeDatabase, db } from '@/db/client'
import { containing } from '@/db/list'
import { migrateDatabase } from '@/db/migrate'
import { users } from '@/db/schema'
import { found } from '@/db/search'
import { word, wordOf } from './filling'
import { median } from './load'

/** How many accounts there are, and how often each search runs. */
const size = Number(process.env.ROWS ?? 1_000_000)
const rounds = Number(process.env.ROUNDS ?? 15)

const columns = [users.fio, users.login, users.email]
/** A search without forms: the text as it is typed, a short one at the beginning, in an index of the columns themselves. */
function asTyped(text: string) {
  const pattern = text.length < 3 ? containing(text).slice(1) : containing(text)
  return or(...columns.map((column) => sql`${column} ilike ${pattern}`))
}
const byForm = (text: string) => found(text, columns, { indexed: true })

const id = { id: users.id }
/** What the list of accounts reads first, and what a choice reads. */
const reads = {
  few: (where: SQL | undefined) => db().select(id).from(users).where(where).limit(2_001),
  choice: (where: SQL | undefined) =>
    db().select(id).from(users).where(where).orderBy(asc(users.fio), asc(users.id)).limit(50),
}

/** Not every text can be found by both: only the form takes words in any order. */
const texts: Record<string, { text: string; before?: string; read: (keyof typeof reads)[] }> = {
  'part of a name': { text: wordOf(777).slice(0, 7), read: ['few', 'choice'] },
  'whole name': { text: `${wordOf(777)} ${wordOf(-777)}`, read: ['few', 'choice'] },
  'words in another order': {
    text: `${wordOf(-777)} ${wordOf(777)}`,
    before: `${wordOf(777)} ${wordOf(-777)}`,
    read: ['few', 'choice'],
  },
  'two letters': { text: wordOf(777).slice(0, 2), read: ['few'] },
  'an e-mail': { text: `measured-${size - 223}@polaris.example`, read: ['few', 'choice'] },
  'a login': { text: `login-${size - 223}`, read: ['few', 'choice'] },
  'what many have': { text: 'measured', read: ['few', 'choice'] },
  'what nobody has': { text: 'qqqqqqqq', read: ['few', 'choice'] },
}

const embedded = await startEmbeddedBeside({ folder: '.data/bench-searching', durable: false })
const { DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl } = embedded.env
// as the owner, who makes the other index
Object.assign(process.env, embedded.env, {
  DATABASE_URL: ownerUrl,
  PLATFORM_MODE: 'test',
  PUBLIC_URL: 'http://localhost',
})
allowLongStatements()
try {
  await migrateDatabase({ ownerUrl, appUrl, log: { info: () => {}, warn: console.warn } })
  // indexes are made faster of rows that are there
  const { rows } = await db().execute<{ name: string; made: string }>(
    sql`select indexname as name, indexdef as made from pg_indexes where tablename = 'users' and indexname like '%search'`,
  )
  for (const index of rows) await db().execute(sql`drop index ${sql.identifier(index.name)}`)
  await db().execute(sql`
    insert into users (login, email, fio)
    select 'login-' || n, 'measured-' || n || '@polaris.example', ${sql.raw(`${word('n')} || ' ' || ${word('-n')}`)}
    from generate_series(1, ${size}::int) n`)
  for (const index of rows) await db().execute(sql.raw(index.made))
  const list = sql.join(
    columns.map(({ name }) => sql`${sql.identifier(name)} gin_trgm_ops`),
    sql`, `,
  )
  await db().execute(sql`create index as_typed on users using gin (${list})`)
  await db().execute(sql`vacuum analyze users`)
  for (const [name, { text, before = text, read }] of Object.entries(texts))
    for (const kind of read) {
      const times = { before: [] as number[], after: [] as number[] }
      const counts = { before: 0, after: 0 }
      const timed = async (which: keyof typeof times, where: SQL | undefined) => {
        const start = performance.now()
        counts[which] = (await reads[kind](where)).length
        times[which].push(performance.now() - start)
      }
      for (let round = 0; round < rounds; round++) {
        await timed('before', asTyped(before))
        await timed('after', byForm(text))
      }
      const [as, by] = [median(times.before), median(times.after)]
      console.log(
        `${name}, ${kind}: ${counts.before} and ${counts.after} found, ${as.toFixed(2)} and ${by.toFixed(2)} ms, ratio ${(by / as).toFixed(2)}`,
      )
    }
} finally {
  await closeDatabase()
  await embedded.stop()
}
