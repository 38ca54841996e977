import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { migrateDatabase } from '@/db/migrate'
import { systemicMethods } from '@/lib/base/access/access-methods'

const log = { info: () => {}, warn: () => {} }
const name = `test_${randomBytes(6).toString('hex')}`
const to = (url: string, database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href
const urls = { ownerUrl: to(inject('ownerUrl'), name), appUrl: to(inject('appUrl'), name) }

async function run(url: string, query: string, values: unknown[] = []) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(query, values)).rows
  } finally {
    await client.end()
  }
}
const count = async (table: string) => Number((await run(urls.ownerUrl, `select count(*) from ${table}`))[0].count)

beforeAll(async () => {
  await run(to(inject('ownerUrl'), 'postgres'), `create database ${name}`)
})
afterAll(async () => {
  await run(to(inject('ownerUrl'), 'postgres'), `drop database ${name} with (force)`)
})

describe('an empty database', () => {
  test('is migrated by two instances that start at once', async () => {
    await Promise.all([migrateDatabase({ ...urls, log }), migrateDatabase({ ...urls, log })])
    expect(await count('methods')).toBe(systemicMethods.length)
    expect(await count('locales')).toBe(2)
    expect(await run(urls.ownerUrl, 'select code from roles order by 1')).toEqual(
      ['administrator', 'auditor', 'support', 'user'].map((code) => ({ code })),
    )
    expect(await run(urls.ownerUrl, 'select base, enabled from domains')).toEqual([{ base: true, enabled: true }])
    expect(await run(urls.ownerUrl, 'select first_factor, second_factor from authentication_schemas')).toEqual([
      { first_factor: ['credentials', 'email_code'], second_factor: [] },
    ])
    expect(await run(urls.ownerUrl, 'select code, immutable, actions_access from applications')).toEqual([
      { code: 'platform', immutable: true, actions_access: 2 },
    ])
  })

  test('has a job queue that the application may use', async () => {
    await run(urls.appUrl, `select graphile_worker.add_job('nothing')`)
    expect(await run(urls.appUrl, 'select task_identifier from graphile_worker.jobs')).toEqual([
      { task_identifier: 'nothing' },
    ])
  })
})

describe('the application’s role', () => {
  test('may insert into the history and read it, never change it', async () => {
    await run(urls.appUrl, `insert into history (type, entity, entity_id) values ('create', 'users', '1')`)
    expect(await run(urls.appUrl, 'select entity from history')).toEqual([{ entity: 'users' }])
    for (const query of [
      'update history set ip = null',
      'delete from history',
      'truncate history',
      'drop table history',
    ])
      await expect(run(urls.appUrl, query), query).rejects.toMatchObject({ code: '42501' })
  })

  test('may change all other rows, but no table', async () => {
    await run(urls.appUrl, `insert into settings (id, value) values ('uiNavMini', 'true')`)
    await run(urls.appUrl, `update settings set value = 'false'`)
    await run(urls.appUrl, 'delete from settings')
    await expect(run(urls.appUrl, 'alter table settings add column more text')).rejects.toMatchObject({ code: '42501' })
    await expect(run(urls.appUrl, 'create table more (id int)')).rejects.toMatchObject({ code: '42501' })
  })

  test('has access to tables that later migrations create', async () => {
    await run(urls.ownerUrl, 'create table later (id int)')
    await run(urls.appUrl, 'insert into later values (1)')
    await run(urls.ownerUrl, 'drop table later')
  })
})

test('a shipped role has the methods that the rules define', async () => {
  const rows = await run(
    urls.ownerUrl,
    `select r.code as role, array_agg(m.code::text order by m.code) as methods
     from roles r join role_methods rm on rm.role_id = r.id join methods m on m.id = rm.method_id group by 1 order by 1`,
  )
  const reads = systemicMethods.filter((code) => code.endsWith('.read'))
  const notices = ['monitoringNotifyAccess', 'diagnosticsNotifyAccess', 'diagnosticsApplicationsNotifyAccess']
  const sorted = (codes: readonly string[]) => [...codes].sort()
  expect(rows.map((row) => ({ ...row, methods: sorted(row.methods) }))).toEqual([
    { role: 'administrator', methods: sorted(systemicMethods) },
    { role: 'auditor', methods: sorted([...reads, ...notices]) },
    {
      role: 'support',
      methods: sorted(['users.read', 'users.write', 'sessions.read', 'sessions.write', 'history.read']),
    },
  ])
})

test('a second run keeps the changes of administrators, and adds new methods to their roles', async () => {
  await run(urls.ownerUrl, `update domains set comment = 'Наш домен'`)
  await run(urls.ownerUrl, `update roles set name = 'Служба поддержки' where code = 'support'`)
  await run(urls.ownerUrl, `update dynamic_fields set title = 'Псевдоним' where code = 'login'`)
  await run(
    urls.ownerUrl,
    `delete from role_methods where role_id in (select id from roles where code in ('support', 'administrator'))
     and method_id in (select id from methods where code = 'history.read')`,
  )
  // as in an older release, whose roles had no English comments
  await run(urls.ownerUrl, `update roles set comment_en = null where code in ('support', 'auditor')`)
  await run(urls.ownerUrl, `update roles set comment = 'Вторая линия' where code = 'support'`)
  // and which didn't have this method
  await run(urls.ownerUrl, `delete from methods where code = 'sessions.write'`)
  const before = await count('dynamic_fields')

  await migrateDatabase({ ...urls, log })

  const carries = (role: string, code: string) =>
    run(
      urls.ownerUrl,
      `select from role_methods rm join roles r on r.id = rm.role_id join methods m on m.id = rm.method_id
       where r.code = $1 and m.code = $2`,
      [role, code],
    ).then((rows) => rows.length === 1)
  expect(await carries('support', 'history.read')).toBe(false)
  expect(await carries('administrator', 'history.read')).toBe(true)
  expect(await carries('support', 'sessions.write')).toBe(true)
  expect(await carries('auditor', 'sessions.write')).toBe(false)
  expect(await run(urls.ownerUrl, 'select comment from domains')).toEqual([{ comment: 'Наш домен' }])
  expect(await run(urls.ownerUrl, `select name, comment_en from roles where code = 'support'`)).toEqual([
    { name: 'Служба поддержки', comment_en: null },
  ])
  expect(await run(urls.ownerUrl, `select comment_en from roles where code = 'auditor'`)).toEqual([
    { comment_en: 'Sees every section and changes nothing' },
  ])
  expect(await run(urls.ownerUrl, `select title from dynamic_fields where code = 'login'`)).toEqual([
    { title: 'Псевдоним' },
  ])
  expect(await count('dynamic_fields')).toBe(before)
})

test('an unreachable database is named, without its password', async () => {
  const url = 'postgres://somebody:a-secret@127.0.0.1:1/nowhere'
  const failed = await migrateDatabase({ ownerUrl: url, appUrl: url, log, waitFor: 0 }).catch(
    (error: Error) => error.message,
  )
  expect(failed).toContain('127.0.0.1:1/nowhere does not answer')
  expect(failed).not.toContain('a-secret')
})

test('a wrong password is reported at once', async () => {
  const url = Object.assign(new URL(urls.ownerUrl), { password: 'wrong' }).href
  const started = Date.now()
  await expect(migrateDatabase({ ...urls, ownerUrl: url, log })).rejects.toThrow(/refuses the connection/)
  expect(Date.now() - started).toBeLessThan(5_000)
})
