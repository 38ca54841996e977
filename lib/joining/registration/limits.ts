import { addressLimits, siteFactor } from '@/lib/base/limits/address-limits'
import { networksOf } from '@/lib/base/limits/client-ip'
import type { Tier } from '@/lib/base/limits/limits'
import type { DailyLimit } from '@/lib/sign-in/codes/daily-limit'

/**
 * How many registrations one address may complete. Each call stores an account or costs a hash: enough for a company
 * behind one gateway.
 */
const completeTiers: Tier[] = [{ points: 120, duration: 600 }]

/** Returns the limits on completed registrations of an address. */
export const completeLimits = (ip: string) => addressLimits('registration-complete', ip, completeTiers)

/** Returns the limits on links of an address in a day: for IPv6 those of its /64 and those of its /48. */
export const linksOfAddress = (ip: string, registrationsPerIp: number) =>
  networksOf(ip).map((subject, index) => ({
    kind: 'registration-address',
    subject,
    limit: registrationsPerIp * (index ? siteFactor : 1),
  })) as [DailyLimit, ...DailyLimit[]]
