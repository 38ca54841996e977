import { describe, expect, test } from 'vitest'
import { type ListedRange, parseRange, verdictOf } from '@/lib/platform/access-lists/verdict'

const now = new Date('2026-11-16T12:00:00Z')
const entry = (
  list: ListedRange['list'],
  subnet: string,
  dates: Partial<Pick<ListedRange, 'dateFrom' | 'dateTo'>> = {},
): ListedRange => ({
  list,
  range: parseRange(subnet),
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
    expect(verdictOf([entry('blacklist', subnet)], false, ip, now)).toBe(verdict)
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
    expect(verdictOf([entry('blacklist', '203.0.113.0/24', dates)], false, '203.0.113.9', now)).toBe(verdict)
  })
})

describe('whitelist mode', () => {
  const lists = [entry('whitelist', '192.0.2.0/24'), entry('blacklist', '192.0.2.66/32')]
  test('lets whitelisted addresses in alone, and none that is blacklisted too', () => {
    expect(verdictOf(lists, true, '192.0.2.1', now)).toBe('allowed')
    expect(verdictOf(lists, true, '::ffff:192.0.2.1', now)).toBe('allowed')
    expect(verdictOf(lists, true, '198.51.100.1', now)).toBe('denied')
    expect(verdictOf(lists, true, '192.0.2.66', now)).toBe('denied')
    expect(verdictOf([entry('whitelist', '0.0.0.0/0')], true, 'not an address', now)).toBe('denied')
  })
  test('is off: the whitelist says nothing', () => {
    expect(verdictOf(lists, false, '198.51.100.1', now)).toBe('allowed')
  })
})
