// @module-tag full
import { beforeAll, expect, test } from 'vitest'
import { shellContext } from '@/bin/operator'
import { AppError } from '@/lib/base/runtime/errors'
import { configurationText, importText } from '@/lib/operations/configuration-file/service'
import type { Loose } from '../../factories/configuration'
import { configurationRows } from '../../factories/configuration-rows'
import { administered, passing } from '../../factories/random-instance'
import { useTestDatabase } from '../../setup/database'
import { seedOf } from '../../setup/scope'

useTestDatabase()

// the first ones set something of every kind
const seeds = [1, 2, 3, seedOf(4)]
const passphrase = 'a passphrase of the test'

const counts = new Map<string, { done: number; refused: string[] }>()
type Instance = { text: string; sealed: string; rows: Record<string, string[]> }
const instances = new Map<number, Instance>()

beforeAll(async () => {
  for (const seed of seeds)
    instances.set(
      seed,
      await passing(async () => {
        await administered(seed, { raising: true, counts })
        const ctx = await shellContext()
        const [text, sealed] = [await configurationText(ctx), await configurationText(ctx, passphrase)]
        return { text, sealed, rows: await configurationRows() }
      }),
    )
}, 600_000)

/** Objects by section and key, as they stand in a file. */
function objectsOf(text: string): Map<string, Loose> {
  const { content } = JSON.parse(text) as { content: Record<string, Loose[]> }
  const keyIn = (section: string, one: Loose) => {
    if (section === 'webhooks') return `${one.application}/${one.webhook}`
    if (section === 'accessLists') {
      const span = one.dateFrom || one.dateTo ? ` ${one.dateFrom ?? ''}…${one.dateTo ?? ''}` : ''
      return `${one.list} ${one.ip ?? `@${one.alias}`}${span}`
    }
    const typed = ['fieldTabs', 'fieldBlocks', 'fields'].includes(section) ? `${one.type}/` : ''
    const named = { domains: 'name', networkAliases: 'name', providers: 'name', clients: 'clientId', roles: 'role' }
    const others = { settings: 'setting', notifyMethods: 'channel', exchanges: 'key', orders: 'of' }
    return `${typed}${one[{ ...named, ...others }[section] ?? 'code']}`
  }
  return new Map(
    Object.entries(content).flatMap(([section, all]) =>
      all.map((one): [string, Loose] => [`${section}[${keyIn(section, one)}]`, one]),
    ),
  )
}

/** What differs between two files, object by object, without the code that imports them. */
function difference(before: string, after: string): string[] {
  const [objectsBefore, is] = [objectsOf(before), objectsOf(after)]
  const all = [...new Set([...objectsBefore.keys(), ...is.keys()])]
  const orders = (place: string) => place.startsWith('orders[')
  return all
    .flatMap((place) => {
      const [one, other] = [objectsBefore.get(place), is.get(place)]
      if (!other) return orders(place) ? [] : [`delete ${place}`]
      if (!one) return [`create ${place}`]
      const fields = Object.keys(other).filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]))
      return fields.length > 0 ? [`update ${place} ${fields.join(' ')}`] : []
    })
    .sort()
}
const changesOf = (changes: { section: string; key: string; kind: string; fields: { field: string }[] }[]) =>
  changes
    .map(({ section, key, kind, fields }) =>
      [`${kind} ${section}[${key}]`, ...(kind === 'update' ? [fields.map(({ field }) => field).join(' ')] : [])].join(
        ' ',
      ),
    )
    .sort()

/** A file without secrets switches no webhook on that wasn't. */
function arriving(text: string, over: string): string {
  const file = JSON.parse(text)
  const stored = objectsOf(over)
  for (const one of file.content.webhooks)
    one.enabled &&= stored.get(`webhooks[${one.application}/${one.webhook}]`)?.enabled === true
  return `${JSON.stringify(file, null, 2)}\n`
}
/** Imports a file, and says what is refused. */
const importing = async (text: string, more: { dry?: boolean; version?: string; passphrase?: string } = {}) =>
  importText(await shellContext(), { text, prune: true, dry: false, ...more }).catch((error: unknown) => {
    throw error instanceof AppError ? new Error(JSON.stringify([error.code, error.data])) : error
  })
const stored = async () => configurationText(await shellContext())

test('administrators set something of every kind', () => {
  // what a setting may be depends on others, and on people, of whom there are none
  const isSetting = (name: string) => name.startsWith('setting ')
  const never = [...counts].filter(([name, { done }]) => done === 0 && !isSetting(name)).map(([name]) => name)
  expect(never).toEqual([])
  expect([...counts].filter(([name, { done }]) => isSetting(name) && done > 0).length).toBeGreaterThan(35)
  const all = [...counts.values()]
  const done = all.reduce((total, count) => total + count.done, 0)
  const refused = all.reduce((total, count) => total + count.refused.length, 0)
  expect(refused).toBeLessThan(done / 3)
})

test.each(seeds)(
  'instance %i arrives whole in an empty one, with its secrets byte for byte',
  async (seed) => {
    const { text, sealed, rows } = instances.get(seed) as Instance
    await passing(async () => {
      const empty = await stored()
      const arrived = arriving(text, empty)
      const preview = await importing(text, { dry: true })
      expect(await stored()).toBe(empty)
      expect(changesOf(preview.changes)).toEqual(difference(empty, arrived))
      expect(await importing(text, { version: preview.version })).toEqual(preview)
      expect(await stored()).toBe(arrived)
      expect((await importing(text)).changes).toEqual([])
      await importing(sealed, { passphrase })
      expect(await stored()).toBe(text)
      expect(await configurationRows()).toEqual(rows)
      expect((await importing(sealed, { passphrase })).changes).toEqual([])
    })
  },
  120_000,
)

/** Whether people may have agreed to a text in a language that goes: earlier versions keep their texts. */
function keepsLanguage(before: string, after: string): boolean {
  const [contentBefore, is] = [before, after].map((text) => JSON.parse(text).content as Record<string, Loose[]>)
  return (contentBefore?.documents ?? []).some((document) => {
    const raised = is?.documents?.find(({ code }) => code === document.code)?.version > document.version
    const languages = document.texts.map(({ locale }: Loose) => locale)
    return raised && languages.some((locale: string) => !is?.locales?.some(({ code }) => code === locale))
  })
}

test.each(seeds)(
  'instance %i replaces another one, with what was shown and nothing else',
  async (seed) => {
    const { text, rows } = instances.get(seed) as Instance
    await passing(async () => {
      await administered(seed + 1)
      const other = await stored()
      if (keepsLanguage(other, text)) return expect(importing(text, { dry: true })).rejects.toThrow('localeUsed')
      const arrived = arriving(text, other)
      const preview = await importing(text, { dry: true })
      expect(await stored()).toBe(other)
      expect(changesOf(preview.changes)).toEqual(difference(other, arrived))
      expect((await importing(text, { version: preview.version })).changes).toEqual(preview.changes)
      expect(await stored()).toBe(arrived)
      const { webhooks: _, ...others } = await configurationRows()
      expect(others).toEqual(Object.fromEntries(Object.entries(rows).filter(([name]) => name !== 'webhooks')))
      expect((await importing(text)).changes).toEqual([])
    })
  },
  120_000,
)
