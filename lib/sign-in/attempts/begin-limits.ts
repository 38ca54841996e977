import { addressLimits } from '@/lib/base/limits/address-limits'
import { type Tier, takePoints } from '@/lib/base/limits/limits'

/** Attempts that one address may begin: enough for a company behind one gateway. */
const beginTiers: Tier[] = [{ points: 600, duration: 600 }]

/** Returns the limits on attempts that an address begins. */
export const beginLimits = (ip: string) => addressLimits('begin', ip, beginTiers)

/** Counts the beginning of an attempt by its address. Throws 429. */
export const countBegin = (ip: string) => takePoints(...beginLimits(ip))
