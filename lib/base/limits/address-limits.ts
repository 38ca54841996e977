import { keyedHash } from '../crypto/encryption'
import { networksOf } from './client-ip'
import type { Limit, Tier } from './limits'

/** A /48 is a site of many networks: it gets this many times the limit of one network. */
export const siteFactor = 2

/**
 * Returns the limits of an address: of IPv4 the address itself, of IPv6 its /64 and its /48, because an attacker can
 * switch between the networks of one site. `scope` separates the counters of different things, such as clients.
 */
export const addressLimits = (name: string, ip: string, tiers: readonly Tier[], scope = ''): Limit[] =>
  networksOf(ip).map((network, index) => ({
    name: index === 0 ? name : `${name}-wide`,
    key: keyedHash('identifiers', `address ${network}${scope}`),
    tiers: index === 0 ? tiers : tiers.map(({ points, duration }) => ({ points: points * siteFactor, duration })),
  }))
