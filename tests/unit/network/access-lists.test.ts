import { BlockList, isIP } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type AccessRules, type RequestOrigin, shutOutAt } from '@/lib/network/access-lists/lockout'
import {
  compileLists,
  entriesOn,
  isActive,
  type ListedEntry,
  verdictOf,
  whitelistEnds,
} from '@/lib/network/access-lists/verdict'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'

const now = new Date('2026-11-16T12:00:00Z')
const entry = (
  list: ListedEntry['list'],
  subnet: string,
  dates: Partial<Pick<ListedEntry, 'dateFrom' | 'dateTo'>> = {},
): ListedEntry => ({
  list,
  subnet,
  dateFrom: null,
  dateTo: null,
  ...dates,
})

describe('a blacklisted subnet', () => {
  test.each([
    ['203.0.113.0/24', '203.0.113.0', 'denied'],
    ['203.0.113.0/24', '203.0.113.255', 'denied'],
    ['203.0.113.0/24', '203.0.112.255', 'allowed'],
    ['203.0.113.0/24', '203.0.114.0', 'allowed'],
    ['203.0.113.7', '203.0.113.7', 'denied'],
    ['203.0.113.7/32', '203.0.113.8', 'allowed'],
    ['203.0.113.0/24', '::ffff:203.0.113.9', 'denied'],
    ['203.0.113.0/24', '::ffff:cb00:7109', 'denied'],
    ['::ffff:203.0.113.0/120', '203.0.113.9', 'denied'],
    ['2001:db8::/32', '2001:DB8:0:1::5', 'denied'],
    ['2001:db8::/32', '2001:db9::1', 'allowed'],
    ['fe80::/10', 'fe80::1%eth0', 'denied'],
    ['0.0.0.0/0', '198.51.100.1', 'denied'],
    ['0.0.0.0/0', '2001:db8::1', 'allowed'],
    ['203.0.113.0/24', '203.0.113.9.evil', 'denied'],
    ['203.0.113.0/24', '', 'denied'],
  ])('%s and the address %s: %s', (subnet, ip, verdict) => {
    expect(verdictOf(compileLists([entry('blacklist', subnet)]), false, ip, now)).toBe(verdict)
  })
})

describe('an entry with dates', () => {
  const second = 1000
  test.each([
    ['begins this moment', { dateFrom: now }, 'denied'],
    ['begins a second later', { dateFrom: new Date(now.getTime() + second) }, 'allowed'],
    ['ends this moment', { dateTo: now }, 'denied'],
    ['ended a second ago', { dateTo: new Date(now.getTime() - second) }, 'allowed'],
    [
      'is between its dates',
      { dateFrom: new Date(now.getTime() - second), dateTo: new Date(now.getTime() + second) },
      'denied',
    ],
  ])('that %s', (_, dates, verdict) => {
    expect(verdictOf(compileLists([entry('blacklist', '203.0.113.0/24', dates)]), false, '203.0.113.9', now)).toBe(
      verdict,
    )
  })
})

describe('whitelist mode', () => {
  const lists = compileLists([entry('whitelist', '192.0.2.0/24'), entry('blacklist', '192.0.2.66/32')])
  test('allows only whitelisted addresses that aren’t blacklisted', () => {
    expect(verdictOf(lists, true, '192.0.2.1', now)).toBe('allowed')
    expect(verdictOf(lists, true, '::ffff:192.0.2.1', now)).toBe('allowed')
    expect(verdictOf(lists, true, '198.51.100.1', now)).toBe('denied')
    expect(verdictOf(lists, true, '192.0.2.66', now)).toBe('denied')
    expect(verdictOf(compileLists([entry('whitelist', '0.0.0.0/0')]), true, 'not an address', now)).toBe('denied')
  })
  test('off: the whitelist has no effect', () => {
    expect(verdictOf(lists, false, '198.51.100.1', now)).toBe('allowed')
  })
})

const random = caseNumbers(111)
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
// few networks, so that random entries and addresses often match
const someAddress = () =>
  pick([
    () => `10.0.${random(2)}.${random(4)}`,
    () => `::ffff:10.0.${random(2)}.${random(4)}`,
    () => `2001:db8:${random(2)}:${random(2)}::${random(2)}`,
  ])()
const someSubnet = () => {
  const address = someAddress()
  const plain = address.replace('::ffff:', '')
  const bits = isIP(plain) === 4 ? pick([0, 1, 8, 23, 24, 30, 31, 32]) : pick([0, 16, 32, 47, 48, 64, 127, 128])
  return address === plain ? `${plain}/${bits}` : `${address}/${bits + 96}`
}
const moment = (at: number) => new Date(now.getTime() + at)
const someEntry = (): ListedEntry => ({
  list: pick(['whitelist', 'blacklist', 'blacklist'] as const),
  subnet: someSubnet(),
  dateFrom: pick([null, moment(random(12) - 4)]),
  dateTo: pick([null, moment(random(16) - 4)]),
})

const within = new Map<string, boolean>()
function isWithin(subnet: string, ip: string): boolean {
  const cached = within.get(`${subnet} ${ip}`)
  if (cached !== undefined) return cached
  const mapped = subnet.startsWith('::ffff:')
  const [network = '', bits = ''] = subnet.replace('::ffff:', '').split('/')
  const list = new BlockList()
  const kind = isIP(ip) === 4 ? 'ipv4' : 'ipv6'
  if (isIP(network) === isIP(ip)) list.addSubnet(network, Number(bits) - (mapped ? 96 : 0), kind)
  const answer = list.check(ip, kind)
  within.set(`${subnet} ${ip}`, answer)
  return answer
}

/** The rule as it is written, entry by entry, with Node's own subnets. */
function plainVerdict({ lists, whitelistMode }: Pick<AccessRules, 'lists' | 'whitelistMode'>, ip: string, at: Date) {
  const plain = ip.replace('::ffff:', '')
  const covers = ({ subnet }: ListedEntry) => isWithin(subnet, plain)
  const inForce = lists.entries.filter(
    (one) => covers(one) && (!one.dateFrom || one.dateFrom <= at) && (!one.dateTo || at <= one.dateTo),
  )
  if (inForce.some(({ list }) => list === 'blacklist')) return 'denied'
  return !whitelistMode || inForce.length > 0 ? 'allowed' : 'denied'
}

const someRules = (): AccessRules => ({
  lists: compileLists(Array.from({ length: random(6) }, someEntry)),
  whitelistMode: random(2) === 1,
  proxies: pick([[], ['10.0.0.0/24'], ['10.0.0.0/31', '2001:db8:0::/64']]),
})

test('the compiled lists give the same verdict as the entries one by one', () => {
  for (const _ of eachRound(3_000)) {
    const rules = someRules()
    const [ip, at] = [someAddress(), moment(random(20) - 6)]
    const message = JSON.stringify({ entries: rules.lists.entries, mode: rules.whitelistMode, ip, at })
    expect(verdictOf(rules.lists, rules.whitelistMode, ip, at), message).toBe(plainVerdict(rules, ip, at))
  }
})

test('ten thousand entries are one search, and those within one another are all found', () => {
  const entries = Array.from({ length: 10_000 }, (_, at) => entry('blacklist', `10.${at >> 8}.${at & 255}.0/24`))
  const lists = compileLists(entries)
  expect(lists.ipv4.starts.length).toBeLessThanOrEqual(20_001)
  expect(entriesOn(lists, '10.39.15.200')).toEqual([entries[39 * 256 + 15]])
  expect(entriesOn(lists, '10.39.16.200')).toEqual([])
  // two halves of one subnet, of which the second ends with it
  const halves = ['10.0.0.0/24', '10.0.0.0/25', '10.0.0.128/25'].map((subnet) => entry('blacklist', subnet))
  expect(entriesOn(compileLists(halves), '10.0.0.1')).toEqual([halves[1], halves[0]])
  expect(entriesOn(compileLists(halves), '10.0.0.200')).toEqual([halves[2], halves[0]])
  const nested = Array.from({ length: 129 }, (_, bits) => entry('blacklist', `2001:db8::/${bits}`))
  const twice = [...nested, ...nested]
  expect(entriesOn(compileLists(twice), '2001:db8::')).toHaveLength(258)
  expect(entriesOn(compileLists(twice), '2001:db8::1')).toHaveLength(256)
  expect(entriesOn(compileLists(twice), '2001:db9::')).toHaveLength(64)
})

describe('a person who changes the rules', () => {
  const someOrigin = (): RequestOrigin =>
    pick<() => RequestOrigin>([
      () => ({ ip: someAddress() }),
      () => ({
        ip: 'is read anew',
        connection: {
          socket: someAddress(),
          forwardedFor: pick([undefined, someAddress(), `${someAddress()}, ${someAddress()}`]),
        },
      }),
    ])()
  /** Returns the address of the client by the proxies of the rules, hop by hop. */
  const addressBy = ({ proxies }: AccessRules, { ip, connection }: RequestOrigin) => {
    if (!connection) return ip
    const trusted = (address: string) =>
      plainVerdict(
        { lists: compileLists(proxies.map((subnet) => entry('blacklist', subnet))), whitelistMode: false },
        address,
        now,
      ) === 'denied'
    let address = connection.socket
    for (const hop of (connection.forwardedFor?.split(', ') ?? []).reverse()) {
      if (!trusted(address)) break
      address = hop
    }
    return address
  }

  test('is locked out from the first moment, now or later, at which only the change denies their address', () => {
    let [refused, later] = [0, 0]
    for (const _ of eachRound(1_500)) {
      const [before, origin] = [someRules(), someOrigin()]
      // most changes are small: an entry more or less, a toggle, a proxy
      const other = someRules()
      const after = pick<() => AccessRules>([
        () => other,
        () => ({ ...before, lists: compileLists([...before.lists.entries, someEntry()]) }),
        () => ({ ...before, lists: compileLists(before.lists.entries.slice(1)) }),
        () => ({ ...before, whitelistMode: !before.whitelistMode }),
        () => ({ ...before, proxies: other.proxies }),
      ])()
      const expected = Array.from({ length: 30 }, (_, at) => moment(at)).find(
        (at) =>
          plainVerdict(after, addressBy(after, origin), at) === 'denied' &&
          plainVerdict(before, addressBy(before, origin), at) === 'allowed',
      )
      const shutOut = shutOutAt(before, after, origin, now)
      const withEntries = (rules: AccessRules) => ({ ...rules, lists: rules.lists.entries })
      expect(shutOut, JSON.stringify({ before: withEntries(before), after: withEntries(after), origin })).toEqual(
        expected ?? null,
      )
      if (expected) refused++
      if (expected && expected > now) later++
    }
    expect(refused).toBeGreaterThan(shareOf(50))
    expect(later).toBeGreaterThan(shareOf(10))
  })

  const rules = (entries: ListedEntry[], whitelistMode = false): AccessRules => ({
    lists: compileLists(entries),
    whitelistMode,
    proxies: [],
  })
  const mine = { ip: '192.0.2.1' }
  const week = 7 * 24 * 3_600_000

  test('may change rules that don’t concern them, and undo those that do', () => {
    const closing = entry('blacklist', '192.0.2.0/24', { dateFrom: moment(week) })
    expect(shutOutAt(rules([closing]), rules([closing, entry('blacklist', '203.0.113.0/24')]), mine, now)).toBeNull()
    expect(shutOutAt(rules([closing]), rules([]), mine, now)).toBeNull()
    expect(shutOutAt(rules([entry('blacklist', '192.0.2.1')]), rules([]), mine, now)).toBeNull()
  })
  test('can’t deny their own address from tomorrow, nor let their own entry end without another one', () => {
    const tomorrow = moment(24 * 3_600_000)
    const beginning = entry('blacklist', '192.0.2.0/24', { dateFrom: tomorrow })
    expect(shutOutAt(rules([]), rules([beginning]), mine, now)).toEqual(tomorrow)
    const always = entry('whitelist', '192.0.2.0/24')
    const ending = { ...always, dateTo: moment(week) }
    const next = entry('whitelist', '192.0.2.0/25', { dateFrom: moment(week) })
    expect(shutOutAt(rules([always], true), rules([ending], true), mine, now)).toEqual(moment(week + 1))
    expect(shutOutAt(rules([always], true), rules([ending, next], true), mine, now)).toBeNull()
    expect(shutOutAt(rules([ending]), rules([ending], true), mine, now)).toEqual(moment(week + 1))
    expect(shutOutAt(rules([]), rules([], true), mine, now)).toEqual(now)
  })
  test('can’t remove their own proxy if its address is denied', () => {
    const behind: RequestOrigin = { ip: '192.0.2.1', connection: { socket: '10.0.0.1', forwardedFor: '192.0.2.1' } }
    const allowed = [entry('whitelist', '192.0.2.0/24')]
    const before = { ...rules(allowed, true), proxies: ['10.0.0.0/24'] }
    expect(shutOutAt(before, { ...before, proxies: [] }, behind, now)).toEqual(now)
    expect(shutOutAt(before, { ...before, proxies: ['10.0.0.1'] }, behind, now)).toBeNull()
  })
})

test('the whitelist ends at the first moment at which no entry counts any more', () => {
  let [ended, open] = [0, 0]
  for (const _ of eachRound(2_000)) {
    const edge = () => pick([null, new Date(now.getTime() + random(12) - 3)])
    const entries = Array.from({ length: random(5) }, () => ({ dateFrom: edge(), dateTo: edge() }))
    const moments = Array.from({ length: 20 }, (_, after) => new Date(now.getTime() + after))
    const first = moments.find((at) => !entries.some((entry) => isActive(entry, at))) ?? null
    expect(whitelistEnds(entries, now), JSON.stringify(entries)).toEqual(first)
    first ? ended++ : open++
  }
  expect(Math.min(ended, open)).toBeGreaterThan(shareOf(100))
})
