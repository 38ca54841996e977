import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { checkDatabase } from '@/bin/server/start-checks'
import { migrateDatabase } from '@/db/migrate'
import { versionedTables } from '@/db/migrate/versions'
import { env } from '@/lib/base/runtime/env'

const name = `test_${randomBytes(6).toString('hex')}`
const to = (url: string, database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href
const urls = { ownerUrl: to(inject('ownerUrl'), name), appUrl: to(inject('appUrl'), name) }
const quiet = { info: () => {}, warn: () => {} }

const open: pg.Client[] = []
async function connect(url = urls.appUrl) {
  const client = new pg.Client(url)
  await client.connect()
  open.push(client)
  return client
}
let owner: pg.Client
let folder: string

beforeAll(async () => {
  const administrator = await connect(to(inject('ownerUrl'), 'postgres'))
  await administrator.query(`create database ${name}`)
  await migrateDatabase({ ...urls, log: quiet })
})
beforeEach(async () => {
  owner = await connect(urls.ownerUrl)
  folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  cpSync(join(process.cwd(), 'db', 'migrations'), folder, { recursive: true })
})
afterEach(async () => {
  rmSync(folder, { recursive: true })
  for (const client of open.splice(0)) await client.end()
})
afterAll(async () => {
  const administrator = await connect(to(inject('ownerUrl'), 'postgres'))
  await administrator.query(`drop database ${name} with (force)`)
  await administrator.end()
})

let made = 0
/** Adds a migration after the existing ones. Returns the name of what it creates. */
function addMigration(statements: (name: string) => string[]) {
  const one = `later_${++made}`
  const journal = join(folder, 'meta', '_journal.json')
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'))
  // after those that earlier tests added to other folders
  const entry = { ...entries.at(-1), idx: entries.length, when: Date.now() + made * 1_000_000, tag: `9999_${one}` }
  writeFileSync(join(folder, `${entry.tag}.sql`), statements(one).join('--> statement-breakpoint\n'))
  writeFileSync(journal, JSON.stringify({ ...rest, entries: [...entries, entry] }))
  return one
}
const indexOf = async (index: string) =>
  (
    await owner.query(
      'select indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid where relname = $1',
      [index],
    )
  ).rows[0]?.valid
const write = (client: pg.Client) => client.query(`insert into roles (name, role_type) values ('x', 'systemic')`)

describe('while the database is in use', () => {
  test('a migration that must wait for a table releases its locks and tries again', async () => {
    const column = addMigration((one) => [`ALTER TABLE "roles" ADD COLUMN "${one}" text;`])
    const [busy, other] = [await connect(), await connect()]
    await busy.query('begin')
    await write(busy)
    const warned: string[] = []
    await migrateDatabase({
      ...urls,
      folder,
      log: {
        info: () => {},
        warn: (_, message) => {
          // between two tries nobody waits for the migration: the writer continues, then the first transaction ends
          if (warned.push(message) === 1) void write(other).then(() => busy.query('commit'))
        },
      },
    })
    expect(new Set(warned)).toEqual(new Set(['a table is in use; the migration tries again']))
    await owner.query(`select ${column} from roles`)
  })

  test('an index on an existing table is created while others write to it', async () => {
    const index = addMigration((one) => [
      `ALTER TABLE "roles" ADD COLUMN "${one}" text;`,
      `-- a comment\nCREATE INDEX "${one}" ON "roles" USING btree ("${one}");`,
    ])
    const [busy, other] = [await connect(), await connect()]
    // this transaction doesn't lock the table, so it can be changed; but an index must wait for its snapshot
    await busy.query('begin isolation level repeatable read')
    await busy.query('select 1 from users')
    const warned: string[] = []
    const done = migrateDatabase({
      ...urls,
      folder,
      log: { info: () => {}, warn: (_, message) => void warned.push(message) },
    })
    const building = async () =>
      (await owner.query(`select from pg_stat_progress_create_index where relid = 'roles'::regclass`)).rowCount
    await expect.poll(building, { timeout: 10_000 }).toBe(1)
    await other.query(`set lock_timeout = '500ms'`)
    for (let n = 0; n < 20; n++) await write(other)
    await other.query(`update roles set name = 'y' where name = 'x'`)
    expect(await building()).toBe(1)
    await busy.query('commit')
    await done
    expect(warned).toEqual([])
    expect(await indexOf(index)).toBe(true)
  })

  test('two instances migrate at once', async () => {
    const index = addMigration((one) => [`CREATE INDEX "${one}" ON "users" USING btree ("comment");`])
    await Promise.all(Array.from({ length: 3 }, () => migrateDatabase({ ...urls, folder, log: quiet })))
    expect(await indexOf(index)).toBe(true)
  })
})

describe('after an interrupted migration', () => {
  test('a missing and an invalid index are created again', async () => {
    const shipped = ['sign_in_attempts_domain', 'users_authentication_schema', 'messages_user']
    await owner.query(`drop index ${shipped[0]}`)
    // an index creation that was interrupted leaves this
    const broken = await connect(urls.ownerUrl)
    await broken.query(`drop index ${shipped[1]}`)
    await broken.query(`set statement_timeout = '300ms'`)
    const holding = await connect()
    await holding.query('begin')
    await holding.query(`insert into users (login) values ('held')`)
    await expect(
      broken.query(`create index concurrently ${shipped[1]} on users (authentication_schema_id)`),
    ).rejects.toMatchObject({ code: '57014' })
    await holding.query('rollback')
    expect(await indexOf(shipped[1] ?? '')).toBe(false)
    await migrateDatabase({ ...urls, folder, log: quiet })
    for (const index of shipped) expect(await indexOf(index), index).toBe(true)
  })

  test('a table without its version trigger gets it again', async () => {
    const [table = ''] = versionedTables()
    await owner.query(`drop trigger set_updated_at on ${table}`)
    await owner.query(`alter table roles disable trigger set_updated_at`)
    // and nothing starts that would need them
    await expect(checkDatabase({ ...env(), DATABASE_URL: urls.appUrl })).rejects.toThrow(/is not migrated/)
    await migrateDatabase({ ...urls, folder, log: quiet })
    const { rows } = await owner.query(`select tgrelid::regclass::text as table from pg_trigger
      where tgname = 'set_updated_at' and tgenabled = 'O'`)
    expect(rows.map((row) => row.table).sort()).toEqual(versionedTables().sort())
  })

  test('an index that a later migration removed isn’t created again', async () => {
    const index = addMigration((one) => [`CREATE INDEX "${one}" ON "roles" USING btree ("name");`])
    await migrateDatabase({ ...urls, folder, log: quiet })
    expect(await indexOf(index)).toBe(true)
    addMigration(() => [`DROP INDEX "${index}";`])
    await migrateDatabase({ ...urls, folder, log: quiet })
    expect(await indexOf(index)).toBeUndefined()
  })
})
