import type { Tier } from '@/lib/base/limits/limits'

const day = 86_400

/**
 * How many wrong entries of all kinds of codes an account may have, or a receiver without an account
 * (docs/rules/codes.md#limits).
 */
export const wrongByAccount = { perDay: 10, perMonth: 50 }

/**
 * How many wrong codes an address may enter from unknown browsers, except those that a right code in the same attempt
 * has removed. Take an office of 500 people behind one gateway, who sign in by code each day in unknown browsers and
 * mistype one code in 25: nobody is refused as long as at most one in five of those who mistype gives up
 * (tests/docs/takeovers.test.ts).
 */
export const wrongByAddress: Tier[] = [
  { points: 25, duration: 600 },
  { points: 40, duration: day },
  { points: 200, duration: 30 * day },
]

/**
 * How often the limits of one address may be lifted in a day (of IPv6: of its /48), and how often one person or program
 * may lift limits.
 */
export const liftsInDay = { ofAddress: 1, ofCaller: 5 } as const

/** How many codes one address may request from unknown browsers: enough for the office above on the same day. */
export const requestsByAddress: Tier[] = [
  { points: 300, duration: 600 },
  { points: 1_500, duration: day },
]

type Attack = { accounts: number; addresses: number; digits: number; ipv6?: boolean; wide: number }

/**
 * Returns how many accounts an attacker may expect to take over on the first day, and on each of many days. Every
 * compared entry has the same chance. With IPv6 an address is a whole /48, which has `wide` times the limit.
 */
export function expectedTakeovers({ accounts, addresses, digits, ipv6 = false, wide: siteFactor }: Attack) {
  const pointsIn = (duration: number) => wrongByAddress.find((tier) => tier.duration === duration)?.points ?? 0
  const limitedAddresses = addresses * (ipv6 ? siteFactor : 1)
  const chance = 10 ** -digits
  const { perDay, perMonth } = wrongByAccount
  const onFirst = Math.min(accounts * perDay, limitedAddresses * pointsIn(day))
  const onMany = Math.min(onFirst, (accounts * perMonth) / 30, (limitedAddresses * pointsIn(30 * day)) / 30)
  return { firstDay: onFirst * chance, everyDay: onMany * chance }
}
