import type { Tier } from '@/lib/kernel/limits'

const day = 86_400

/**
 * Wrong entries of all kinds of codes for one account, or for a receiver without one (docs/rules/codes.md#limits).
 */
export const wrongByAccount = { perDay: 10, perMonth: 50 }

/**
 * Wrong codes that one address may enter from unknown browsers: enough for an office of 500 people behind one gateway
 * who all use a new browser on one day, if one entry in 25 is wrong.
 */
export const wrongByAddress: Tier[] = [
  { points: 10, duration: 600 },
  { points: 20, duration: day },
  { points: 100, duration: 30 * day },
]

/** Codes that one address may request from unknown browsers: enough for the same office on that day. */
export const askedByAddress: Tier[] = [
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
