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

/** Returns the address of an entry of X-Forwarded-For, which may be quoted, in brackets or with a port. */
function addressOfEntry(entry: string): string | undefined {
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

/** Returns the smaller network that limits count for an address: the IPv4 address, or the /64 of an IPv6 address. */
export const networkOf = (ip: string): string => networksOf(ip)[0]

const blockLists = new WeakMap<string[], BlockList>()

function blockListOf(subnets: string[]): BlockList {
  const cached = blockLists.get(subnets)
  if (cached) return cached
  const list = new BlockList()
  for (const subnet of subnets) {
    const [address = '', prefix, ...furtherParts] = subnet.trim().split('/')
    const version = isIP(address)
    const prefixLength = prefix === undefined ? (version === 6 ? 128 : 32) : Number(prefix)
    const isReadable = version !== 0 && furtherParts.length === 0 && prefix !== ''
    if (isReadable && Number.isInteger(prefixLength) && prefixLength >= 0 && prefixLength <= (version === 6 ? 128 : 32))
      list.addSubnet(address, prefixLength, version === 6 ? 'ipv6' : 'ipv4')
  }
  blockLists.set(subnets, list)
  return list
}

/** Returns whether X-Forwarded-For from this address is trusted. */
export function isTrusted(socketAddress: string | undefined, trusted: string[]): boolean {
  const ip = canonicalIp(socketAddress ?? '')
  return ip !== undefined && blockListOf(trusted).check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
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
  const proxies = blockListOf(trusted)
  for (const entry of forwardedFor.split(',').reverse()) {
    if (!proxies.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')) return ip
    const next = addressOfEntry(entry)
    if (!next) return ip
    ip = next
  }
  return ip
}
