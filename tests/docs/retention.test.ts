import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableName, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import * as schema from '@/db/schema'
import { settingModules } from '@/lib/site/settings/definitions'
import { platformHousekeeping } from '@/lib/wiring/housekeeping'

const page = readFileSync(join('docs', 'rules', 'retention.md'), 'utf8')
const sectionOf = (heading: string) => page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
const named = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

const rows = sectionOf('Tables about people')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
  .map(([table = '', says = '', , long = '', by = '', ...more]) => ({
    table: named(table)[0] ?? '',
    says,
    long,
    by,
    more,
  }))
const others = named(sectionOf('Other tables'))
const tables = (Object.values(schema) as unknown[]).filter((one) => is(one, PgTable)).map(getTableConfig)

test('each table is listed once, and none that doesn’t exist', () => {
  const listed = [...rows.map(({ table }) => table), ...others]
  expect(listed.toSorted()).toEqual([...new Set(listed)].toSorted())
  expect(listed.toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
  for (const { table, says, long, by, more } of rows) expect([table, says && long && by, more]).toEqual([table, by, []])
})

test('a table that can name somebody is one about people', () => {
  // an application's are the addresses of its service account
  const names =
    /^(.*_)?(user_id|account_id|changer_id|actor_id|inviter_id|decider_id|email|mobile|login|recipient|ip|user_agent|caller|password_hash)$/
  const naming = tables
    .filter(({ name, columns }) => name !== 'applications' && columns.some((one) => names.test(columnName(one.name))))
    .map(({ name }) => name)
  expect(naming.length).toBeGreaterThan(30)
  expect(naming.filter((name) => others.includes(name))).toEqual([])
  const leading = tables.filter(
    ({ name, foreignKeys }) =>
      others.includes(name) && foreignKeys.some((key) => getTableName(key.reference().foreignTable) === 'users'),
  )
  expect(leading.map(({ name }) => name)).toEqual([])
})

const columnName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

test('what goes with the account does: a foreign key leads there that deletes', () => {
  const deleted = new Set(['users'])
  for (let before = 0; before < deleted.size; ) {
    before = deleted.size
    for (const { name, foreignKeys } of tables)
      if (
        foreignKeys.some((key) => key.onDelete === 'cascade' && deleted.has(getTableName(key.reference().foreignTable)))
      )
        deleted.add(name)
  }
  const claimed = rows.filter(({ by }) => by.includes('the account')).map(({ table }) => table)
  expect(claimed.filter((table) => !deleted.has(table))).toEqual([])
  // the other way round, what goes with it says so
  deleted.delete('users')
  expect([...deleted].filter((table) => !claimed.includes(table))).toEqual([])
})

test('the steps and the settings that it names exist, and what has a time has a step', () => {
  const steps = Object.keys(platformHousekeeping)
  const modules = Object.values(settingModules).flatMap((scope): object[] => Object.values(scope))
  const settings = modules.flatMap((module) => Object.keys(module))
  for (const { table, long, by } of rows) {
    for (const name of named(by)) expect([table, steps]).toEqual([table, expect.arrayContaining([name])])
    for (const name of named(long)) expect([table, settings]).toEqual([table, expect.arrayContaining([name])])
    if (/\d+ (days|hours)|Retention`/.test(long)) expect([table, named(by).length > 0]).toEqual([table, true])
    expect([table, /the account|by hand|`/.test(by)]).toEqual([table, true])
  }
})
