import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** One spelling an address: mapped IPv4 as IPv4, IPv6 shortened, no zone. Undefined for anything else. */
function canonical(address: string): string | undefined {
  const bare = address.replace(/%.*$/, '')
  if (isIP(bare) === 0) return undefined
  return ipaddr.process(bare).toString()
}

/** An entry of X-Forwarded-For: an address, perhaps quoted, in brackets or with a port. */
function hop(entry: string): string | undefined {
  const text = entry.trim().replace(/^"(.*)"$/, '$1')
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)
  if (bracketed?.[1]) return bracketed[1].includes(':') ? canonical(bracketed[1]) : undefined
  return canonical(text.replace(/^([^:]+):\d{1,5}$/, '$1'))
}

/**
 * What limits by address count: an IPv4 address itself; of an IPv6 one its /64, since whoever has one address there
 * has them all, and its /48, which is what a site or a hosted machine is given.
 */
export function networksOf(ip: string): [string, ...string[]] {
  if (isIP(ip) !== 6) return [ip]
  const network = (bits: number) => `${ipaddr.IPv6.networkAddressFromCIDR(`${ip}/${bits}`).toString()}/${bits}`
  return [network(64), network(48)]
}

/** The first of them: an address, or the /64 of one. */
export const whoseAddress = (ip: string): string => networksOf(ip)[0]

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

/** Whether what forwards a request from this address is believed. */
export function isTrusted(socketAddress: string | undefined, trusted: string[]): boolean {
  const ip = canonical(socketAddress ?? '')
  return ip !== undefined && compile(trusted).check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Whose request this is. X-Forwarded-For is read right to left for as long as the hop that wrote it is one of the
 * trusted subnets; an unreadable entry ends the reading, so that the answer is always an address somebody trusted saw.
 */
export function clientIp(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trusted: string[],
): string {
  let ip = canonical(socketAddress ?? '') ?? ''
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
