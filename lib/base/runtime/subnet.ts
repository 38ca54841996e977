import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/**
 * Returns the one spelling of an IPv4 or IPv6 address or subnet: the network address, the prefix length unless it is
 * full, mapped IPv4 as IPv4. Undefined for anything else, and for addresses with a zone.
 */
export function normalSubnet(text: string): string | undefined {
  const [address = '', prefix, ...furtherParts] = text.trim().split('/')
  const isIpv4 = ipaddr.IPv4.isValidFourPartDecimal(address)
  if (
    furtherParts.length > 0 ||
    (!isIpv4 && (!address.includes(':') || address.includes('%') || !ipaddr.IPv6.isValid(address)))
  )
    return undefined
  if (prefix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefix)) return undefined
  const fullLength = isIpv4 ? 32 : 128
  const bits = prefix === undefined ? fullLength : Number(prefix)
  if (bits > fullLength) return undefined
  if (isIpv4) return spelled(ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`).toString(), bits, 32)
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)
  if (network.isIPv4MappedAddress() && bits >= 96) return spelled(network.toIPv4Address().toString(), bits - 96, 32)
  return spelled(network.toRFC5952String(), bits, 128)
}

const spelled = (address: string, bits: number, full: number) => (bits === full ? address : `${address}/${bits}`)

const rangeOf = (text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] => {
  const [address = '', bits] = (normalSubnet(text) ?? '').split('/')
  const parsed = ipaddr.parse(address)
  return [parsed, bits === undefined ? (parsed.kind() === 'ipv4' ? 32 : 128) : Number(bits)]
}

/** Returns whether an address lies in a subnet; mapped IPv4 counts as IPv4. */
export function isWithin(ip: string, subnet: string): boolean {
  if (!ipaddr.isValid(ip)) return false
  const [address, [network, bits]] = [ipaddr.process(ip), rangeOf(subnet)]
  return address.kind() === network.kind() && address.match(network, bits)
}

/** Ranges of private networks and of this machine. */
const privateRanges = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '127.0.0.0/8',
  'fc00::/7',
  '::1/128',
]

/** Returns whether a whole subnet lies in one of the private ranges. */
export function isPrivateSubnet(subnet: string): boolean {
  const [network, bits] = rangeOf(subnet)
  return privateRanges.some((range) => isWithin(network.toString(), range) && bits >= rangeOf(range)[1])
}

/** An address or subnet in any spelling; the result is its one spelling. */
export const Subnet = z
  .string({ error: 'errorEmpty' })
  .trim()
  .min(1, 'errorEmpty')
  .max(64, 'errorSubnet')
  .refine((text) => normalSubnet(text) !== undefined, 'errorSubnet')
  .transform((text) => normalSubnet(text) ?? text)
