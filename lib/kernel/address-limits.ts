import { networksOf } from './client-ip'
import { keyedHash } from './crypto/secrets'
import type { Limit, Tier } from './limits'

/** A /48 is a site of many networks: it gets so many times what one of them gets. */
export const wide = 2

/**
 * What limits an address: of IPv4 itself, of IPv6 its /64, and its /48 besides, in which whoever has one rotates.
 * `within` counts apart what else the points belong to.
 */
export const addressLimits = (name: string, ip: string, tiers: readonly Tier[], within = ''): Limit[] =>
  networksOf(ip).map((network, n) => ({
    name: n === 0 ? name : `${name}-wide`,
    key: keyedHash('identifiers', `address ${network}${within}`),
    tiers: n === 0 ? tiers : tiers.map(({ points, duration }) => ({ points: points * wide, duration })),
  }))
