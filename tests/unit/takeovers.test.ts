import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { expectedTakeovers, wrongByAccount, wrongByAddress } from '@/lib/entry/codes/limits'
import { wide } from '@/lib/kernel/address-limits'
import { definitions } from '@/lib/platform/settings/definitions'

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
    for (const [accounts, addresses, ...told] of rows) {
      const attack = { accounts: number(accounts), addresses: number(addresses), digits, wide }
      const [four, six] = [expectedTakeovers(attack), expectedTakeovers({ ...attack, ipv6: true })]
      const expected = [four.firstDay, four.everyDay, six.firstDay, six.everyDay]
      expect(told.map(number)).toEqual(expected.map((each) => Number(each.toPrecision(2))))
    }
  })

  test('grow with accounts and addresses, and never beyond either limit', () => {
    for (let n = 0; n < 500; n++) {
      const attack = { accounts: 1 + ((n * 7_919) % 600_000), addresses: 1 + ((n * 104_729) % 5_000), digits, wide }
      const { firstDay, everyDay } = expectedTakeovers(attack)
      expect(everyDay).toBeLessThanOrEqual(firstDay)
      expect(firstDay).toBeLessThanOrEqual(attack.accounts * wrongByAccount.perDay * 10 ** -digits)
      expect(firstDay).toBeLessThanOrEqual(attack.addresses * (wrongByAddress[1]?.points ?? 0) * 10 ** -digits)
      const more = expectedTakeovers({ ...attack, accounts: attack.accounts + 1, addresses: attack.addresses + 1 })
      expect(more.firstDay).toBeGreaterThan(firstDay)
      const longer = expectedTakeovers({ ...attack, digits: digits + 1 })
      expect(longer.firstDay).toBeCloseTo(firstDay / 10, 9)
    }
  })
})
