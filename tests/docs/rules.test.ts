import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Contract } from '@/lib/base/contracts/contract'
import { maxDeliveryTries } from '@/lib/base/events/delivery/deliver'
import { eventRetentionDays } from '@/lib/base/events/delivery/housekeeping'
import { siteFactor } from '@/lib/base/limits/address-limits'
import type { Tier } from '@/lib/base/limits/limits'
import { requestsByAddress, wrongByAccount, wrongByAddress } from '@/lib/sign-in/codes/limits'
import { definitions, type SettingId } from '@/lib/site/settings/definitions'
import { parseSetting } from '@/lib/site/settings/parse'
import { relations } from '@/lib/site/settings/relations'
import { contracts } from '@/lib/wiring/contracts'

const page = (name: string) => readFileSync(`docs/rules/${name}.md`, 'utf8')
const ids = Object.keys(definitions) as SettingId[]

/** Returns the rows of a page's tables as lists of cells. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| (.+) \|$/gm)].map(([, cells = '']) => cells.split(' | ').map((cell) => cell.trim()))

const settings = rowsOf(page('settings')).flatMap(([named = '', type = '', preset = '', bounds = '', note = '']) => {
  const id = /^`(\w+)`$/.exec(named)?.[1] as SettingId | undefined
  return id ? [{ id, type, preset, bounds, note }] : []
})

type Duration = { value: number; unit: string }

/** Returns a default as the table writes it. */
function written(id: SettingId): string {
  const { type, default: preset } = definitions[id] as { type: string; default: unknown }
  if (type === 'role') return 'the role `user`'
  if (type === 'days') return `${preset} days`
  if (type === 'duration') {
    const { value, unit } = preset as Duration
    return `${value} ${value === 1 ? unit.replace(/s$/, '') : unit}`
  }
  if (typeof preset === 'boolean') return preset ? 'on' : 'off'
  if (typeof preset === 'string') return `\`${preset}\``
  return typeof preset === 'number' ? String(preset) : 'none'
}

const seconds: Record<string, number> = { second: 1, minute: 60, hour: 3_600, day: 86_400 }

/** Returns the limits of a row's bounds, each with a value outside of it. */
function endsOf({ type, bounds }: (typeof settings)[number]): { within: unknown[]; beyond: unknown[] } {
  const [, from = '', to = ''] = /^(\d+(?: \w+)?) to (\d+(?: \w+)?)/.exec(bounds) ?? []
  if (type !== 'duration') {
    const [least, most] = [Number.parseInt(from, 10), Number.parseInt(to, 10)]
    return { within: [least, most], beyond: [least - 1, most + 1] }
  }
  const inSeconds = (text: string) => {
    const [value, unit = ''] = text.split(' ')
    return Number(value) * (seconds[unit.replace(/s$/, '')] ?? Number.NaN)
  }
  const stored = (value: number): Duration => ({ value, unit: 'seconds' })
  const [least, most] = [inSeconds(from), inSeconds(to)]
  return { within: [stored(least), stored(most)], beyond: [stored(least - 1), stored(most + 1)] }
}

describe('the table of settings', () => {
  test('has every setting once, in the order of the code', () => {
    expect(settings.map(({ id }) => id)).toEqual(ids)
  })

  test.each(settings)('has the type and the default of $id', ({ id, type, preset }) => {
    expect({ type, preset }).toEqual({ type: definitions[id].type, preset: written(id) })
  })

  const bounded = settings.filter(({ type }) => ['integer', 'days', 'duration'].includes(type))
  test.each(bounded)('has the bounds of $id', (row) => {
    const { within, beyond } = endsOf(row)
    for (const value of within) expect(parseSetting(row.id, value), JSON.stringify(value)).toHaveProperty('value')
    for (const value of beyond) expect(parseSetting(row.id, value), JSON.stringify(value)).toHaveProperty('code')
  })

  test('has a note for each relation of two settings', () => {
    for (const { ids: related, code } of relations) {
      const annotated = settings.filter(({ id, note }) => related.includes(id) && note !== '')
      expect(annotated.length, code).toBeGreaterThan(0)
    }
  })

  test('marks exactly the settings that no code reads yet', () => {
    const sources = ['app', 'bin', 'components', 'lib']
      .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map(({ parentPath, name }) => `${parentPath}/${name}`)
      // those who show, check and store all settings make none of them act
      .filter((file) => !/^(?:lib\/\w+\/settings|app\/platform\/\(admin\)\/setting\/options)\//.test(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n')
    const words = new Set(sources.match(/\w+/g))
    const marked = settings.filter(({ note }) => note.includes('not in effect yet')).map(({ id }) => id)
    expect(marked).toEqual(ids.filter((id) => !words.has(id)))
  })
})

describe('the limits on codes', () => {
  const limits = new Map(rowsOf(page('codes')).map(([what = '', limit = '']) => [what, limit]))
  const spans = new Map([
    [600, '10 minutes'],
    [86_400, 'a day'],
    [30 * 86_400, '30 days'],
  ])
  const tiers = (list: readonly Tier[]) =>
    list.map(({ points, duration }) => `${points} in ${spans.get(duration)}`).join(', ')

  test('are those of the code', () => {
    expect(limits.get('wrong entries from one address')).toBe(tiers(wrongByAddress))
    expect(limits.get('codes requested from one address')).toBe(tiers(requestsByAddress))
    expect(limits.get('wrong entries of one account, over all kinds of codes')).toBe(
      `${wrongByAccount.perDay} in a day, ${wrongByAccount.perMonth} in 30 days`,
    )
    expect(page('codes')).toContain(`with ${siteFactor} times the points`)
  })

  test('name existing settings', () => {
    const named = [...limits.values()].flatMap((limit) => [...limit.matchAll(/`(\w+)`/g)].map(([, id]) => id))
    expect(named.length).toBeGreaterThan(0)
    for (const id of named) expect(ids).toContain(id)
  })
})

test('each setting that a rule names exists', () => {
  const families = /^(authCode|mobileVerify|password|registration|session|identification)[A-Z]\w+$/
  const settingIds = new Set<string>(ids)
  // fields of calls and statuses have other names
  const others = new Set([
    'passwordChanged',
    'registrationDisabled',
    'registrationDailyLimit',
    'registrationEmailLimit',
  ])
  for (const file of readdirSync('docs/rules').filter((name) => name.endsWith('.md')))
    for (const [, name = ''] of readFileSync(`docs/rules/${file}`, 'utf8').matchAll(/`(\w+)`/g))
      if (families.test(name) && !others.has(name)) expect(settingIds, `${file}: ${name}`).toContain(name)
})

describe('calls', () => {
  const calls = readdirSync('docs/rules').flatMap((file) =>
    [...readFileSync(`docs/rules/${file}`, 'utf8').matchAll(/`(GET|POST|PUT|PATCH|DELETE) ([a-z][^`]*)`/g)].map(
      ([, method, path]) => `${method} /${path}`,
    ),
  )
  const built = new Map(contracts.map((contract) => [`${contract.method} ${contract.path}`, contract]))

  test('that a rule names exist', () => {
    expect(calls.length).toBeGreaterThan(20)
    expect(calls.filter((call) => !built.has(call))).toEqual([])
  })

  test('with lists by cursor and with toggles are all named', () => {
    const takesCursor = ({ query }: Contract) => query?.safeParse({ meta: { after: 'x' } }).success
    const named = [...built]
      .filter(([call, one]) => takesCursor(one) || call.endsWith('/enabled'))
      .map(([call]) => call)
    expect(named.length).toBeGreaterThan(3)
    expect(named.filter((call) => !calls.includes(call))).toEqual([])
  })
})

test('the rules on events have the numbers of the code', () => {
  expect(page('operations')).toContain(`After ${maxDeliveryTries} tries`)
  expect(page('operations')).toContain(`| events | ${eventRetentionDays} days after they happened`)
})

test('the table of reach has each method that opens a changing call', () => {
  const opening = contracts.flatMap(({ access, method }) => {
    if (typeof access !== 'object' || method === 'GET') return []
    if ('method' in access) return [access.method]
    return ('areas' in access ? access.areas : [access.area]).map((area) => `${area}.write`)
  })
  const listed = rowsOf(page('reach')).flatMap(([named = '']) =>
    [...named.matchAll(/`([\w.-]+)`/g)].map(([, code]) => code),
  )
  expect(listed.toSorted()).toEqual([...new Set(opening)].toSorted())
})
