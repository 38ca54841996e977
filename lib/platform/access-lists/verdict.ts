import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]
export type ListedRange = { list: 'whitelist' | 'blacklist'; range: Range; dateFrom: Date | null; dateTo: Date | null }

/** A client's address; IPv4 mapped into IPv6 is IPv4, a zone is dropped. Null for what is no address. */
function parseAddress(ip: string): Address | null {
  const text = ip.replace(/%.*$/, '')
  // four decimal parts alone: ipaddr.js would take 010.1 too
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null
  return ipaddr.process(text)
}

/** A subnet in CIDR form; one within ::ffff:0:0/96 is the IPv4 subnet that it maps. */
export function parseRange(cidr: string): Range {
  const [address, bits] = ipaddr.parseCIDR(cidr.includes('/') ? cidr : `${cidr}/${cidr.includes(':') ? 128 : 32}`)
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96)
    return [address.toIPv4Address(), bits - 96]
  return [address, bits]
}

const holds = ([network, bits]: Range, address: Address) =>
  network.kind() === address.kind() && address.match(network, bits)

/**
 * Whether an address gets in (decisions.md section 4): not from a blacklisted subnet, and with `whitelistMode`
 * from a whitelisted one alone. Entries hold within their dates, both ends included. What can't be read as an
 * address is on no whitelist and on every blacklist.
 */
export function verdictOf(
  ranges: readonly ListedRange[],
  whitelistMode: boolean,
  ip: string,
  now: Date,
): 'allowed' | 'denied' {
  const address = parseAddress(ip)
  const inForce = ranges.filter(
    ({ dateFrom, dateTo }) => (dateFrom === null || dateFrom <= now) && (dateTo === null || now <= dateTo),
  )
  const black = inForce.some(({ list, range }) => list === 'blacklist' && (!address || holds(range, address)))
  if (black) return 'denied'
  if (!whitelistMode) return 'allowed'
  const white = inForce.some(({ list, range }) => list === 'whitelist' && address && holds(range, address))
  return white ? 'allowed' : 'denied'
}
