import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { siteFactor } from '@/lib/base/limits/address-limits'
import { expectedTakeovers, liftsInDay, wrongByAddress } from '@/lib/sign-in/codes/limits'
import { definitions } from '@/lib/site/settings/definitions'
import { type Rule, ruleNow, type Wrong } from '../factories/office'
import { randomNumbers } from '../factories/random'

const adr = readFileSync('docs/adr/0021-limits-on-codes.md', 'utf8')
const digits = definitions.authCodeDigits.default
const number = (text = '') => Number(text.replaceAll(' ', ''))

/** Rows of the table in the decision: accounts, addresses, and the four numbers. */
const rows = [...adr.matchAll(/^\| ([\d ]+) \| ([\d ]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$/gm)].map(
  ([, ...cells]) => cells,
)

describe('the expected takeovers of an attacker', () => {
  test('are written down as the limits determine them', () => {
    expect(rows.map(([accounts, addresses]) => [number(accounts), number(addresses)])).toEqual([
      [500, 1],
      [500, 1_000],
      [500_000, 1],
      [500_000, 1_000],
    ])
    for (const [accounts, addresses, ...figures] of rows) {
      const attack = { accounts: number(accounts), addresses: number(addresses), digits, wide: siteFactor }
      const [four, six] = [expectedTakeovers(attack), expectedTakeovers({ ...attack, ipv6: true })]
      const expected = [four.firstDay, four.everyDay, six.firstDay, six.everyDay]
      expect(figures.map(number)).toEqual(expected.map((each) => Number(each.toPrecision(2))))
    }
  })

  test('who may lift the limits of addresses are written down too', () => {
    const each = liftsInDay.ofCaller * (wrongByAddress[1]?.points ?? 0) * 10 ** -digits
    const [four, six] = [each, each * siteFactor].map((one) => Number(one.toPrecision(2)))
    expect(adr).toContain(`${four} takeovers a day (${six} with IPv6), on the first day twice as many`)
  })
})

const day = 86_400
/** The rule of before: windows that begin with the first wrong entry, and nothing takes an entry back. */
function ruleBefore(): Rule {
  const windows = [
    { points: 10, duration: 600, count: 0, end: 0 },
    { points: 20, duration: day, count: 0, end: 0 },
    { points: 100, duration: 30 * day, count: 0, end: 0 },
  ]
  return {
    full: (at) => windows.some(({ points, count, end }) => at < end && count >= points),
    wrong: ({ at }) => {
      for (const one of windows) {
        if (at >= one.end) Object.assign(one, { count: 0, end: at + one.duration })
        one.count++
      }
    },
    right: () => {},
  }
}

type Office = { hours: number; giveUp: number; days: number; seed: number }

/**
 * Returns how many of 500 people behind one address are refused on each day: each enters one code a day in a browser that
 * nobody knows, mistypes one in 25, and then enters it again within two minutes or gives up.
 */
function refusedIn({ full, wrong, right }: Rule, { hours, giveUp, days, seed }: Office): number[] {
  const random = randomNumbers(seed)
  const chance = (share: number) => random(1_000_000) < share * 1_000_000
  return Array.from({ length: days }, (_, n) => {
    const entries = Array.from({ length: 500 }, (_, who) => ({
      at: n * day + random(hours * 3_600),
      who: `${n} ${who}`,
    }))
    let refused = 0
    while (entries.length > 0) {
      const next = entries.reduce((least, entry, index) => (entry.at < (entries[least]?.at ?? 0) ? index : least), 0)
      const [entry] = entries.splice(next, 1) as [Wrong]
      if (full(entry.at)) refused++
      else if (!chance(1 / 25)) right(entry.who)
      else {
        wrong(entry)
        if (!chance(giveUp)) entries.push({ at: entry.at + 10 + random(110), who: entry.who })
      }
    }
    return refused
  })
}

const seeds = [1, 2, 3, 4]
const mean = (numbers: number[]) => Math.round(numbers.reduce((sum, one) => sum + one, 0) / numbers.length)

/** Rows of the table of the office: hours, share that gives up in percent, and the four numbers. */
const officeRows = [...adr.matchAll(/^\| ([\d.]+) h \| (\d+) % \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$/gm)].map(
  ([, ...cells]) => cells.map(Number),
)

describe('an office of 500 people behind one address', () => {
  test('is refused as often as is written down: nobody, if no more than one in five of those who mistype gives up', () => {
    expect(officeRows.map(([hours, share]) => [hours, share])).toEqual([
      [8, 0],
      [8, 20],
      [8, 33],
      [0.5, 0],
      [0.5, 20],
    ])
    for (const [hours = 0, share = 0, ...figures] of officeRows) {
      const months = (rule: () => Rule) =>
        seeds.map((seed) => refusedIn(rule(), { hours, giveUp: share / 100, days: 30, seed }))
      const [old, now] = [months(ruleBefore), months(() => ruleNow())]
      const first = (all: number[][]) => mean(all.map(([one = 0]) => one))
      expect([first(old), first(now), mean(old.flat()), mean(now.flat())]).toEqual(figures)
      if (share <= 20) expect(Math.max(...now.flat())).toBe(0)
    }
  })
})
