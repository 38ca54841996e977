import { describe, expect, test } from 'vitest'
import { isMisread } from '@/lib/network/access-lists/lockout'
import { compileLists } from '@/lib/network/access-lists/verdict'
import { definitions, type SettingId, type Settings } from '@/lib/site/settings/definitions'
import { asDuration, durationUnits, inSeconds } from '@/lib/site/settings/duration'
import { checkGiven } from '@/lib/site/settings/given'
import { parseSetting } from '@/lib/site/settings/parse'
import { brokenRelations, relations } from '@/lib/site/settings/relations'
import { settingsFrom } from '@/lib/site/settings/service'
import { fromWire, toWire } from '@/lib/site/settings/wire'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'
import { rounds } from '../../setup/scope'

const below = caseNumbers(20_261_123)
const role = '1b550014-670e-4e30-9c50-08c290e925aa'
const defaults = settingsFrom({}, role)
const all = 2_000

/** A random value of a setting that is in its bounds. */
function randomOf(id: SettingId): unknown {
  const { type, bounds, default: preset } = definitions[id]
  if (type === 'switch') return below(2) === 1
  if (!bounds) return preset
  const number = bounds.from + below(bounds.to - bounds.from + 1)
  return type === 'duration' ? { value: number, unit: 'seconds' } : number
}
const ids = Object.keys(definitions) as SettingId[]
const related = [...new Set(relations.flatMap((one) => one.ids))]
const read = (id: SettingId, raw: unknown) => {
  const parsed = parseSetting(id, raw)
  if ('code' in parsed) throw new Error(`${id} ${JSON.stringify(raw)} is ${parsed.code}`)
  return parsed.value
}
/** Settings of which some are random. */
const changedFrom = (before: Settings) => {
  const stored = Object.fromEntries(related.filter(() => below(3) === 0).map((id) => [id, randomOf(id)]))
  const parsed = Object.entries(stored).map(([id, raw]) => [id, read(id as SettingId, raw)])
  return { stored, after: { ...before, ...Object.fromEntries(parsed) } as Settings }
}

describe('conditions between settings', () => {
  test('what a save may store keeps every condition, whatever was stored before', () => {
    let now = defaults
    let refused = 0
    for (const _ of eachRound(all)) {
      const { stored, after } = changedFrom(now)
      const faults = brokenRelations(after, Object.keys(stored))
      const all = relations.filter(({ holds }) => !holds(after))
      // a condition that held before can only be broken by a setting that changed
      expect(faults.map(({ code }) => code)).toEqual(all.map(({ code }) => code))
      for (const { id } of faults) expect(Object.keys(stored)).toContain(id)
      if (faults.length === 0) now = after
      else refused++
      expect(now.authCodeAlive).toBeGreaterThan(now.authCodeResendAlive)
      expect(now.refreshTokenLifespan).toBeGreaterThan(now.accessTokenLifespan)
      expect(now.sessionIdleAlive).toBeLessThanOrEqual(now.sessionAlive)
      expect(now.passwordMax ?? 256).toBeGreaterThanOrEqual(now.passwordMin)
      expect(now.identificationLogin || now.identificationEmail || now.identificationMobile).toBe(true)
    }
    expect(refused).toBeGreaterThan(shareOf(all) / 10)
    expect(refused).toBeLessThan(rounds(all))
  })

  test('nothing that is stored, and nothing that the environment gives, leaves people without a way in', () => {
    for (const _ of eachRound(all)) {
      const stored = Object.fromEntries(ids.map((id) => [id, below(4) === 0 ? 'corrupt' : randomOf(id)]))
      const settings = settingsFrom(stored, role)
      expect(brokenRelations(settings, ids)).toEqual([])
      expect(settings.passwordMin).toBeGreaterThanOrEqual(8)
      expect(settings.historyRetention).toBeGreaterThanOrEqual(45)
    }
  })

  test('are no reason to refuse a change of something else', () => {
    const broken = { ...defaults, sessionIdleAlive: 10, sessionAlive: 5 }
    expect(brokenRelations(broken, ['passwordMin'])).toEqual([])
    expect(brokenRelations(broken, ['sessionAlive'])).toEqual([{ id: 'sessionAlive', code: 'errorSessionIdleAlive' }])
  })
})

test('a setting is the same after it was sent and read', () => {
  for (const _ of eachRound(300))
    for (const id of ids) {
      const { type } = definitions[id]
      const value = randomOf(id)
      expect(fromWire(type, toWire(type, value))).toEqual(value)
    }
})

test('a month has 30 days, a year 365', () => {
  const day = inSeconds({ value: 1, unit: 'days' })
  expect(inSeconds({ value: 2, unit: 'months' })).toBe(60 * day)
  expect(inSeconds({ value: 1, unit: 'years' })).toBe(365 * day)
})

test('a number of seconds is written in the largest unit that divides it', () => {
  expect(asDuration(604_800)).toEqual({ value: 7, unit: 'days' })
  expect(asDuration(31)).toEqual({ value: 31, unit: 'seconds' })
  expect(asDuration(5_400)).toEqual({ value: 90, unit: 'minutes' })
  for (const _ of eachRound(all)) {
    const seconds = 1 + below(3_000_000)
    expect(inSeconds(asDuration(seconds))).toBe(seconds)
  }
  expect(durationUnits).toContain('years')
})

describe('settings of the environment', () => {
  test('apply over what is stored, also where both contradict each other', () => {
    const stored = { passwordMax: 10, authCodeDigits: 8 }
    const settings = settingsFrom(stored, role, { passwordMin: 20 })
    expect(settings).toMatchObject({ passwordMin: 20, passwordMax: 128, authCodeDigits: 8 })
  })

  test.each([
    ['an unknown one', { nothing: 1 }, 'nothing is no setting'],
    ['one out of bounds', { passwordMin: 7 }, 'passwordMin is not valid (errorRange)'],
    ['one that only a save can check', { whitelistMode: true }, 'whitelistMode can be changed in the administration'],
    [
      'a kind of identifier',
      { identificationLogin: false },
      'identificationLogin can be changed in the administration',
    ],
    ['two that contradict each other', { passwordMin: 20, passwordMax: 10 }, 'passwordMax contradicts'],
    ['one that contradicts a default', { authCodeResendAlive: { value: 30, unit: 'minutes' } }, 'errorAuthCodeAlive'],
  ])('stop the start: %s', (_, given, message) => {
    expect(() => checkGiven(given, defaults)).toThrow(message)
  })

  test('are all reported at once', () => {
    expect(() => checkGiven({ nothing: 1, passwordMin: 7 }, defaults)).toThrow(/nothing[\s\S]*passwordMin/)
  })
})

describe('a change of the trusted proxies', () => {
  const rules = (proxies: string[]) => ({ lists: compileLists([]), whitelistMode: false, proxies })
  const person = '203.0.113.7'
  const [proxy, outer] = ['10.0.0.1', '198.51.100.9']
  const from = (socket: string, forwardedFor?: string) => ({
    ip: socket,
    connection: { socket, ...(forwardedFor ? { forwardedFor } : {}) },
  })

  test.each([
    ['names the proxy for the first time', [], [proxy], from(proxy, person), false],
    ['names a second proxy behind the first', [proxy], [proxy, outer], from(proxy, `${person}, ${outer}`), false],
    ['leaves out the proxy of the request', [proxy], [], from(proxy, person), true],
    ['leaves out one of two proxies', [proxy, outer], [proxy], from(proxy, `${person}, ${outer}`), true],
    ['trusts the person who makes it', [], [person], from(person), true],
    ['trusts everybody', [proxy], [proxy, '0.0.0.0/0'], from(proxy, person), true],
    ['trusts a proxy that sends no address', [], [proxy], from(proxy), true],
    ['concerns others', [proxy], [proxy, outer], from(proxy, person), false],
    ['finds the request at the proxy itself, as it was', [person], [person, proxy], from(person), false],
  ])('%s', (_, before, after, origin, misread) => {
    expect(isMisread(rules(before), rules(after), origin)).toBe(misread)
  })

  test('never lets a person who was read aright claim an address, nor makes one address of many', () => {
    const hosts = [person, proxy, outer, '192.0.2.3']
    const some = () => hosts.filter(() => below(2) === 1)
    for (const _ of eachRound(all)) {
      const [before, after] = [some(), some()]
      const chain = [hosts[below(4)] ?? person, ...some()]
      const origin = from(hosts[below(4)] ?? person, chain.join(', '))
      if (isMisread(rules(before), rules(after), origin)) continue
      const unchanged = before.length === after.length && before.every((one) => after.includes(one))
      if (unchanged) continue
      // the address that is read afterwards is that of nobody who forwards for others, unless it already was
      const last = [...chain].reverse().reduce((at, hop) => (after.includes(at) ? hop : at), origin.connection.socket)
      const first = [...chain].reverse().reduce((at, hop) => (before.includes(at) ? hop : at), origin.connection.socket)
      if (last !== first) expect([...before, ...after]).not.toContain(last)
    }
  })
})
