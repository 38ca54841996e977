import type { Tier } from '@/lib/kernel/limits'

const day = 86_400

/**
 * Wrong entries of one account, or of a receiver that has none, over all kinds of codes (docs/rules/codes.md#limits).
 */
export const wrongByAccount = { perDay: 10, perMonth: 50 }

/**
 * Wrong codes that one address may enter from browsers that nobody has signed in with: enough for an office of 500
 * people behind one gateway who all come with a new browser on one day, if one entry in 25 is wrong.
 */
export const wrongByAddress: Tier[] = [
  { points: 10, duration: 600 },
  { points: 20, duration: day },
  { points: 100, duration: 30 * day },
]

/** Codes that one address may ask for from such browsers: the same office on the morning of that day, and again. */
export const askedByAddress: Tier[] = [
  { points: 300, duration: 600 },
  { points: 1_500, duration: day },
]

type Attack = { accounts: number; addresses: number; digits: number; ipv6?: boolean; wide: number }

/**
 * How many accounts an attacker may expect to take over in a day: on the first, and on each of many. Every guess that
 * is looked at is right with the same chance. Over IPv6 an address is a whole /48, which has `wide` times the limit.
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
