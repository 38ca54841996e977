import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { migrateDatabase } from '@/db/migrate'
import { migrateTables } from '@/db/migrate/tables'

const quiet = { info: () => {}, warn: () => {} }
const to = (url: string, database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href
const [older, fresh] = [1, 2].map((n) => `test_${n}_${randomBytes(6).toString('hex')}`) as [string, string]
const urls = (name: string) => ({ ownerUrl: to(inject('ownerUrl'), name), appUrl: to(inject('appUrl'), name) })
const folder = mkdtempSync(join(tmpdir(), 'first-'))
const clients: pg.Client[] = []

/** Rows of the demo as the first release wrote them, by table, a table after those that it refers to. Never changed. */
const stored: Record<string, Record<string, unknown>[]> = JSON.parse(
  readFileSync('tests/fixtures/rows-0000.json', 'utf8'),
)

async function connect(name: string) {
  const client = new pg.Client(to(inject('ownerUrl'), name))
  await client.connect()
  clients.push(client)
  return client
}

/** The tables as PostgreSQL's catalogue describes them. */
async function catalogue(client: pg.Client) {
  const { rows } = await client.query<{ line: string }>(`
    select concat_ws(' ', table_name, column_name, udt_name, is_nullable, column_default, generation_expression) as line
      from information_schema.columns where table_schema = 'public'
    union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal and tgrelid::regclass::text !~ 'graphile'
    union all select pg_get_functiondef(p.oid) from pg_proc p where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by 1`)
  return rows.map(({ line }) => line)
}

beforeAll(async () => {
  const server = await connect('postgres')
  for (const name of [older, fresh]) await server.query(`create database ${name}`)
  cpSync(join(process.cwd(), 'db', 'migrations'), folder, { recursive: true })
  const journal = join(folder, 'meta', '_journal.json')
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'))
  writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, 1) }))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  const [server] = clients
  for (const client of clients.slice(1)) await client.end()
  for (const name of [older, fresh]) await server?.query(`drop database ${name} with (force)`)
  await server?.end()
})

test('a database of the first release is brought up to date, and loses no row', async () => {
  const client = await connect(older)
  await migrateTables(client, drizzle(client), folder, quiet)
  for (const [table, rows] of Object.entries(stored)) {
    // what triggers would write is among the rows
    await client.query(`alter table ${table} disable trigger user`)
    await client.query(
      `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(rows)],
    )
    await client.query(`alter table ${table} enable trigger user`)
  }
  const before = await Promise.all(Object.keys(stored).map((table) => count(client, table)))

  await Promise.all([migrateDatabase({ ...urls(older), log: quiet }), migrateDatabase({ ...urls(fresh), log: quiet })])

  expect(await catalogue(client)).toEqual(await catalogue(await connect(fresh)))
  for (const [index, table] of Object.keys(stored).entries())
    expect(await count(client, table), table).toBeGreaterThanOrEqual(before[index] ?? 0)
  const [user = {}] = stored.users ?? []
  const { rows } = await client.query('select login, email, fio from users where id = $1', [user.id])
  expect(rows).toEqual([{ login: user.login, email: user.email, fio: user.fio }])
})

const count = async (client: pg.Client, table: string) =>
  Number((await client.query(`select count(*) from ${table}`)).rows[0].count)
