import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as schema from '@/db/schema'
import { changesOf } from '@/lib/base/audit/audit'
import type { Entity, Field } from '@/lib/base/audit/entity'
import type { EntityName } from '@/lib/base/contracts/entity-names.generated'
import { entityNames } from '@/lib/base/contracts/entity-names.generated'
import { textLocales } from '@/lib/base/i18n/choose-locale'
import { loadMessages } from '@/lib/base/i18n/messages'
import { entities } from '@/lib/operations/history/entities.generated'
import { definitions } from '@/lib/site/settings/definitions'
import { settingField } from '@/lib/site/settings/entity'

const byName = new Map(entities.map((entity) => [entity.name, entity]))
const named = entities.map((entity) => [entity.name, entity] as const)

test('every name belongs to one entity, and every declaration is listed', () => {
  expect(new Set(entityNames).size).toBe(entityNames.length)
  expect(entities.map(({ name }) => name).toSorted()).toEqual([...entityNames].toSorted())
  const files = readdirSync('lib', { recursive: true, encoding: 'utf8' }).filter((path) => /\/entity\.ts$/.test(path))
  const declared = files
    .filter((path) => path !== 'kernel/record/entity.ts')
    .flatMap((path) => [...readFileSync(join('lib', path), 'utf8').matchAll(/\bdefineEntity\(\s*'([\w-]+)'/g)])
    .map(([, name]) => name)
  expect(declared.toSorted()).toEqual([...entityNames].toSorted())
})

const textAt = (texts: unknown, key: string) =>
  key.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], texts)

/** A field, and those of its members at any depth. */
const withMembers = (field: Field): Field[] => [field, ...Object.values(field.members ?? {}).flatMap(withMembers)]

test.each(named)('%s, each of its fields and each choice have a text in every language', async (name, { fields }) => {
  const keys = Object.values(fields).flatMap((field) =>
    withMembers(field).flatMap(({ label, values = [], texts }) => [
      // a group of members may have no name
      ...(label === '' ? [] : [label]),
      ...values.map((value) => `${texts}.${value}`),
    ]),
  )
  for (const locale of textLocales) {
    const messages = await loadMessages(locale)
    for (const key of [`history.entities.${name}`, ...keys]) {
      expect(textAt(messages, key), `${locale} ${key}`).toBeTypeOf('string')
      // it is shown without a value
      expect(textAt(messages, key), `${locale} ${key}`).toMatch(/^[^{}<>]+$/)
    }
  }
})

test.each(named)('%s: secrets are declared by a field alone, not by its members', (_, { fields }) => {
  for (const field of Object.values(fields))
    for (const member of withMembers(field).slice(1)) expect(member.secrets, member.label).toBeUndefined()
})

test.each(named)('%s: a choice names its values, a reference its entity', (_, { fields }) => {
  const all = Object.entries(fields).flatMap(([name, field]) => withMembers(field).map((each) => [name, each] as const))
  for (const [name, { kind, to, values }] of all) {
    if (kind === 'reference') expect(to, name).toBeTypeOf('string')
    else if (kind !== 'list') expect(to, name).toBeUndefined()
    if (kind !== 'list') expect(kind === 'choice', name).toBe((values?.length ?? 0) > 0)
  }
})

test('every setting is a field of the settings, shown unless its definition says that it is secret', () => {
  const { fields } = byName.get('settings') as Entity
  expect(Object.keys(fields)).toEqual(Object.keys(definitions))
  for (const [id, { secrets }] of Object.entries(definitions)) expect(fields[id]?.secrets, id).toEqual(secrets)
  for (const id of ['passwordMin', 'passwordHistory', 'accessTokenLifespan'])
    expect(fields[id]?.secrets).toBeUndefined()
})

test('a setting that holds secrets is recorded without them', () => {
  const stored = { users: [], emails: ['a@b.example'] }
  const definition = { type: 'recipients', default: stored, schema: z.unknown(), secrets: { emails: true } } as const
  const entity: Entity = { name: 'settings', fields: { gateway: settingField('gateway', definition) } }
  expect(changesOf(entity, { gateway: null }, { gateway: stored }).get('gateway')).toEqual({
    previous: null,
    current: { users: [], emails: '***' },
  })
})

const bookkeeping = ['id', 'createdAt', 'updatedAt']

/**
 * What `entities/<name>.ts` states about the table of an entity: `table` if its name differs from that of the entity
 * (`device-types` has device_types), null for an entity without a table; `unrecorded`: why a column isn't in the
 * history.
 */
type Columns = { table?: PgTable | null; unrecorded?: Record<string, string> }
const columnsOf = import.meta.glob<Columns>('../entities/*.ts', { eager: true, import: 'default' })

const schemaTables = Object.entries(schema).flatMap(([variable, value]) =>
  is(value, PgTable) ? [{ variable, table: value }] : [],
)
const tables = entityNames.map((name) => {
  const { table, unrecorded = {} } = columnsOf[`../entities/${name}.ts`] ?? {}
  const namesake = schemaTables.find((each) => getTableName(each.table) === name.replaceAll('-', '_'))?.table
  return { name, table: table === undefined ? namesake : table, unrecorded }
})

test('every file about a table belongs to an entity', () => {
  const names = Object.keys(columnsOf).map((path) => path.replace(/^.*\/|\.ts$/g, ''))
  expect(names.filter((name) => !entityNames.includes(name as EntityName))).toEqual([])
})

describe('every column of a recorded table is a field of its entity, or is listed with a reason', () => {
  test.each(tables)('$name', ({ name, table, unrecorded }) => {
    if (table === null) return
    if (!table) throw new Error(`no table is named as ${name}: tests/unit/entities/${name}.ts names its own`)
    const entity = byName.get(name) as Entity
    const columns = Object.keys(getTableColumns(table))
    for (const column of Object.keys(unrecorded)) expect(columns, column).toContain(column)
    const listed = [...bookkeeping, ...Object.keys(unrecorded)]
    expect(columns.filter((column) => !listed.includes(column) && !Object.hasOwn(entity.fields, column))).toEqual([])
  })
})

/** Modules that write a recorded table and record nothing under its entity, with the reason. */
const silent: Record<string, string> = {
  'lib/account-administration/user-merge access-requests':
    'whose they are changes with the merge, which both accounts record',
  'lib/account-administration/user-merge invitations': 'as its requests: only whose they are changes',
  'lib/base/events events': 'how a delivery goes; what people decide is recorded by lib/operations/undelivered-events',
  'lib/fields/values dynamic-fields': 'the service function that saves a definition audits whether it is unique',
  'lib/directory-sync/provider-mappers provider-syncs': 'with whose rights it works: the changer of the mapper',
  'lib/directory-sync/providers provider-syncs':
    'it is made with its provider, and works with the rights of whoever saved that',
  'lib/sign-in/own-sessions sessions': 'the screen of a session; its end is recorded by lib/sign-in/sessions',
  'lib/base/mail-and-sms messages': 'the state of a sending; a retry by a person is recorded by the sender',
}

test('code that writes a recorded table records under its entity, or is listed with a reason', () => {
  const constants = new Map<string, EntityName>()
  const files = ['lib', 'bin'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => join(root, path)),
  )
  const sources = files
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path, source: readFileSync(path, 'utf8') }))
  for (const { source } of sources)
    for (const [, constant = '', name] of source.matchAll(/const (\w+) = defineEntity\(\s*'([\w-]+)'/g))
      constants.set(constant, name as EntityName)
  expect(constants.size).toBe(entityNames.length)

  const variables = new Map(
    tables.flatMap(({ name, table }) =>
      schemaTables.flatMap((each) => (each.table === table ? [[each.variable, name] as const] : [])),
    ),
  )
  expect(variables.size).toBe(tables.filter(({ table }) => table).length)
  const moduleOf = (path: string) =>
    path
      .split('/')
      .slice(0, path.startsWith('bin/') ? 2 : 3)
      .join('/')
  const [writes, records] = [new Set<string>(), new Set<string>()]
  for (const { path, source } of sources) {
    for (const [, one, other] of source.matchAll(
      /(?:\.(?:insert|update|delete)|\b(?:rowsById|insertUnlessTaken))\((\w+)[,)]|(?:insert into|update|delete from)\s+\$\{(\w+)\}/g,
    )) {
      const name = variables.get(one ?? other ?? '')
      if (name) writes.add(`${moduleOf(path)} ${name}`)
    }
    for (const [, constant = ''] of source.matchAll(
      /\baudit(?:Event|EventFrom|Many)?\(\s*(?:tx,\s*)?[^;]*?\b(\w+Entity)\b/g,
    ))
      records.add(`${moduleOf(path)} ${constants.get(constant)}`)
  }
  expect([...writes].filter((one) => !records.has(one)).toSorted()).toEqual(Object.keys(silent).toSorted())
})
