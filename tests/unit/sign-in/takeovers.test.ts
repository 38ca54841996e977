import { describe, expect, test } from 'vitest'
import { siteFactor } from '@/lib/base/limits/address-limits'
import { expectedTakeovers, wrongByAccount, wrongByAddress } from '@/lib/sign-in/codes/limits'
import { definitions } from '@/lib/site/settings/definitions'
import { ruleNow } from '../../factories/office'

const digits = definitions.authCodeDigits.default

describe('the expected takeovers of an attacker', () => {
  test('grow with accounts and addresses, and never beyond either limit', () => {
    for (let n = 0; n < 500; n++) {
      const attack = {
        accounts: 1 + ((n * 7_919) % 600_000),
        addresses: 1 + ((n * 104_729) % 5_000),
        digits,
        wide: siteFactor,
      }
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

describe('an office of 500 people behind one address', () => {
  test('isn’t closed by twenty mistyped codes that nobody corrects', () => {
    const { full, wrong } = ruleNow()
    for (let n = 0; n < 20; n++) wrong({ at: n, who: String(n) })
    expect(full(20)).toBe(false)
  })
})
