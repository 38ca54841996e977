import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/**
 * An IPv4 or IPv6 address or subnet in its one spelling: the network's address, the prefix length unless it is
 * whole, IPv4 mapped into IPv6 as IPv4. Undefined for anything else, an address with a zone included.
 */
export function normalSubnet(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.trim().split('/')
  const four = ipaddr.IPv4.isValidFourPartDecimal(address)
  if (rest.length > 0 || (!four && (!address.includes(':') || address.includes('%') || !ipaddr.IPv6.isValid(address))))
    return undefined
  if (prefix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefix)) return undefined
  const whole = four ? 32 : 128
  const bits = prefix === undefined ? whole : Number(prefix)
  if (bits > whole) return undefined
  if (four) return written(ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`).toString(), bits, 32)
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)
  if (network.isIPv4MappedAddress() && bits >= 96) return written(network.toIPv4Address().toString(), bits - 96, 32)
  return written(network.toRFC5952String(), bits, 128)
}

const written = (address: string, bits: number, whole: number) => (bits === whole ? address : `${address}/${bits}`)

/** A form's address or subnet in whatever spelling; comes out in its one. */
export const Subnet = z
  .string({ error: 'errorEmpty' })
  .trim()
  .min(1, 'errorEmpty')
  .max(64, 'errorSubnet')
  .refine((text) => normalSubnet(text) !== undefined, 'errorSubnet')
  .transform((text) => normalSubnet(text) ?? text)
