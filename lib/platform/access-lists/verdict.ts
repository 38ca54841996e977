import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
/** An enabled entry of the lists, or one subnet of the alias that it names. `subnet` is an address or has CIDR form. */
export type ListedEntry = {
  list: 'whitelist' | 'blacklist'
  subnet: string
  dateFrom: Date | null
  dateTo: Date | null
}
type Prefix<E> = { kind: 'ipv4' | 'ipv6'; bits: number; networks: Map<bigint, E[]> }
/** The lists, indexed by prefix length: a request costs one look-up for each length, not for each entry. */
export type AccessLists<E extends ListedEntry = ListedEntry> = {
  entries: readonly E[]
  prefixes: readonly Prefix<E>[]
}
export type Verdict = 'allowed' | 'denied'

/** Parses a client's address. IPv4 mapped into IPv6 becomes IPv4; a zone is cut off. Returns null for anything else. */
function parseAddress(ip: string): Address | null {
  const text = ip.replace(/%.*$/, '')
  // only four decimal parts: ipaddr.js would accept 010.1 too
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null
  return ipaddr.process(text)
}

/** Parses a subnet; one within ::ffff:0:0/96 becomes the IPv4 subnet that it maps. */
function parseSubnet(cidr: string): [Address, number] {
  const [address, bits] = ipaddr.parseCIDR(cidr.includes('/') ? cidr : `${cidr}/${cidr.includes(':') ? 128 : 32}`)
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96)
    return [address.toIPv4Address(), bits - 96]
  return [address, bits]
}

const numberOf = (address: Address) => address.toByteArray().reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)

/** Returns the first bits of an address as a number. */
const networkOf = (address: bigint, kind: 'ipv4' | 'ipv6', bits: number) =>
  address >> BigInt((kind === 'ipv4' ? 32 : 128) - bits)

/** Indexes the entries for look-ups by address. Throws for an invalid subnet. */
export function compileLists<E extends ListedEntry>(entries: readonly E[]): AccessLists<E> {
  const prefixes = new Map<string, Prefix<E>>()
  for (const entry of entries) {
    const [address, bits] = parseSubnet(entry.subnet)
    const kind = address.kind()
    const prefix = prefixes.get(`${kind}/${bits}`) ?? { kind, bits, networks: new Map() }
    prefixes.set(`${kind}/${bits}`, prefix)
    const network = networkOf(numberOf(address), kind, bits)
    prefix.networks.set(network, [...(prefix.networks.get(network) ?? []), entry])
  }
  return { entries, prefixes: [...prefixes.values()] }
}

/**
 * Returns the entries that contain an address, whatever their dates. A text that is no address falls under every entry
 * of the blacklist and none of the whitelist.
 */
export function entriesOn<E extends ListedEntry>({ entries, prefixes }: AccessLists<E>, ip: string): E[] {
  const address = parseAddress(ip)
  if (!address) return entries.filter(({ list }) => list === 'blacklist')
  const [kind, number] = [address.kind(), numberOf(address)]
  return prefixes.flatMap((prefix) =>
    prefix.kind === kind ? (prefix.networks.get(networkOf(number, kind, prefix.bits)) ?? []) : [],
  )
}

/** Returns whether an entry counts at a moment: within its dates, both ends included. */
export const isActive = ({ dateFrom, dateTo }: Pick<ListedEntry, 'dateFrom' | 'dateTo'>, at: Date): boolean =>
  (dateFrom === null || at >= dateFrom) && (dateTo === null || at <= dateTo)

/**
 * Returns the first moment, now or later, at which none of these entries counts any more by its dates; null if there is
 * none. Of the enabled entries of the whitelist it is when whitelistMode would let nobody in.
 */
export function whitelistEnds(entries: readonly Pick<ListedEntry, 'dateFrom' | 'dateTo'>[], now: Date): Date | null {
  const begin = ({ dateFrom }: Pick<ListedEntry, 'dateFrom'>) => dateFrom?.getTime() ?? Number.NEGATIVE_INFINITY
  let end = now.getTime()
  for (const entry of entries.toSorted((one, other) => Math.sign(begin(one) - begin(other)) || 0)) {
    if (begin(entry) > end) break
    if (entry.dateTo === null) return null
    // dateTo itself is included
    end = Math.max(end, entry.dateTo.getTime() + 1)
  }
  return new Date(end)
}

/**
 * Returns whether an address gets in (docs/rules/address-lists.md#verdict): never from a blacklisted subnet, and in
 * `whitelistMode` only from a whitelisted one. Entries are valid within their dates, both ends included.
 */
export function verdictOf(lists: AccessLists, whitelistMode: boolean, ip: string, now: Date): Verdict {
  let white = false
  for (const entry of entriesOn(lists, ip)) {
    if (!isActive(entry, now)) continue
    if (entry.list === 'blacklist') return 'denied'
    white = true
  }
  return white || !whitelistMode ? 'allowed' : 'denied'
}
