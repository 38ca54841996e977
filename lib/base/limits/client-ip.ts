import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Returns the one spelling of an address: mapped IPv4 as IPv4, IPv6 shortened, without a zone. Undefined for anything
 * else.
 */
export function canonicalIp(address: string): string | undefined {
  const bare = address.replace(/%.*$/, '')
  const version = isIP(bare)
  if (version !== 6) return version === 4 ? bare : undefined
  const parsed = ipaddr.IPv6.parse(bare)
  return (parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed).toString()
}

/** Reads an entry of X-Forwarded-For: an address, perhaps quoted, in brackets or with a port. */
function hop(entry: string): string | undefined {
  const text = entry.trim().replace(/^"(.*)"$/, '$1')
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)
  if (bracketed?.[1]) return bracketed[1].includes(':') ? canonicalIp(bracketed[1]) : undefined
  return canonicalIp(text.replace(/^([^:]+):\d{1,5}$/, '$1'))
}

/**
 * Returns the networks that limits count for an address: an IPv4 address itself; of IPv6 the /64, which belongs to one
 * owner as a whole, and the /48, which is what a site or a hosted machine gets.
 */
export function networksOf(ip: string): [string, ...string[]] {
  if (isIP(ip) !== 6) return [ip]
  const network = (bits: number) => `${ipaddr.IPv6.networkAddressFromCIDR(`${ip}/${bits}`).toString()}/${bits}`
  return [network(64), network(48)]
}

/** Returns the first of these networks: the IPv4 address, or the /64 of an IPv6 address. */
export const networkOf = (ip: string): string => networksOf(ip)[0]

const compiled = new WeakMap<string[], BlockList>()

function compile(subnets: string[]): BlockList {
  const kept = compiled.get(subnets)
  if (kept) return kept
  const list = new BlockList()
  for (const subnet of subnets) {
    const [address = '', prefix, ...rest] = subnet.trim().split('/')
    const version = isIP(address)
    const length = prefix === undefined ? (version === 6 ? 128 : 32) : Number(prefix)
    const known = version !== 0 && rest.length === 0 && prefix !== ''
    if (known && Number.isInteger(length) && length >= 0 && length <= (version === 6 ? 128 : 32))
      list.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4')
  }
  compiled.set(subnets, list)
  return list
}

/** Returns whether X-Forwarded-For from this address is trusted. */
export function isTrusted(socketAddress: string | undefined, trusted: string[]): boolean {
  const ip = canonicalIp(socketAddress ?? '')
  return ip !== undefined && compile(trusted).check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Returns the address of the client. Reads X-Forwarded-For from right to left while each hop belongs to a trusted
 * subnet. An unreadable entry ends the reading, so the result is always an address that a trusted proxy has seen.
 */
export function clientIp(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trusted: string[],
): string {
  let ip = canonicalIp(socketAddress ?? '') ?? ''
  if (!ip || !forwardedFor || trusted.length === 0) return ip
  const proxies = compile(trusted)
  for (const entry of forwardedFor.split(',').reverse()) {
    if (!proxies.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')) return ip
    const next = hop(entry)
    if (!next) return ip
    ip = next
  }
  return ip
}
