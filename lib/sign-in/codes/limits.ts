import type { Tier } from '@/lib/base/limits/limits'

const day = 86_400

/**
 * Wrong entries of all kinds of codes for one account, or for a receiver without one (docs/rules/codes.md#limits).
 */
export const wrongByAccount = { perDay: 10, perMonth: 50 }

/**
 * Wrong codes of one address from unknown browsers that no right one in the same attempt has taken back. Of an office of
 * 500 people behind one gateway who sign in by code each day in browsers that nobody knows, and who mistype one code in
 * 25, none is refused as long as no more than one in five of those gives up (tests/unit/takeovers.test.ts).
 */
export const wrongByAddress: Tier[] = [
  { points: 25, duration: 600 },
  { points: 40, duration: day },
  { points: 200, duration: 30 * day },
]

/** How often in a day limits are lifted of one address (of IPv6 its /48), and by one person or program. */
export const liftsInDay = { ofAddress: 1, ofCaller: 5 } as const

/** Codes that one address may request from unknown browsers: enough for the same office on that day. */
export const requestsByAddress: Tier[] = [
  { points: 300, duration: 600 },
  { points: 1_500, duration: day },
]

type Attack = { accounts: number; addresses: number; digits: number; ipv6?: boolean; wide: number }

/**
 * Returns how many accounts an attacker may expect to take over on the first day, and on each of many days. Every guess
 * that is compared has the same chance. With IPv6 an address is a whole /48, which has `wide` times the limit.
 */
export function expectedTakeovers({ accounts, addresses, digits, ipv6 = false, wide }: Attack) {
  const most = (duration: number) => wrongByAddress.find((tier) => tier.duration === duration)?.points ?? 0
  const each = addresses * (ipv6 ? wide : 1)
  const chance = 10 ** -digits
  const { perDay, perMonth } = wrongByAccount
  const onFirst = Math.min(accounts * perDay, each * most(day))
  const onMany = Math.min(onFirst, (accounts * perMonth) / 30, (each * most(30 * day)) / 30)
  return { firstDay: onFirst * chance, everyDay: onMany * chance }
}
