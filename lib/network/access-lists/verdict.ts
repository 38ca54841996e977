import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
/** An enabled entry of the lists, or one subnet of the alias that it names. `subnet` is an address or has CIDR form. */
export type ListedEntry = {
  list: 'whitelist' | 'blacklist'
  subnet: string
  dateFrom: Date | null
  dateTo: Date | null
}
/** The entries of one subnet, and the next larger subnet that contains it. */
type Node<E> = { entries: E[]; parent: Node<E> | null; first: bigint; last: bigint }
/** For the addresses from each start on, the smallest subnet that contains them. */
type Index<E> = { starts: bigint[]; nodes: (Node<E> | null)[] }
/** The lists, indexed by address: a request costs one binary search, however many entries and prefix lengths there are. */
export type AccessLists<E extends ListedEntry = ListedEntry> = {
  entries: readonly E[]
  ipv4: Index<E>
  ipv6: Index<E>
}
export type Verdict = 'allowed' | 'denied'

/** Parses a client's address. IPv4 mapped into IPv6 becomes IPv4; a zone is cut off. Returns null for anything else. */
function parseAddress(ip: string): Address | null {
  const text = ip.replace(/%.*$/, '')
  // only four decimal parts: ipaddr.js would accept 010.1 too
  if (!text.includes(':')) return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : null
  try {
    // parsed without a check before it, because this runs for every request
    const address = ipaddr.IPv6.parse(text)
    return address.isIPv4MappedAddress() ? address.toIPv4Address() : address
  } catch {
    return null
  }
}

/** Parses a subnet; one within ::ffff:0:0/96 becomes the IPv4 subnet that it maps. */
function parseSubnet(cidr: string): [Address, number] {
  const [address, bits] = ipaddr.parseCIDR(cidr.includes('/') ? cidr : `${cidr}/${cidr.includes(':') ? 128 : 32}`)
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96)
    return [address.toIPv4Address(), bits - 96]
  return [address, bits]
}

const numberOf = (address: Address) => BigInt(`0x${Buffer.from(address.toByteArray()).toString('hex')}`)

type Range<E> = { first: bigint; last: bigint; entry: E }

/** Indexes subnets. Two of them either contain one another or have no address in common. */
function indexOf<E>(ranges: Range<E>[]): Index<E> {
  const index: Index<E> = { starts: [], nodes: [] }
  const begin = (start: bigint, node: Node<E> | null) => {
    // of two subnets that begin at the same address, the later one is smaller
    if (index.starts.at(-1) === start) index.nodes[index.nodes.length - 1] = node
    else {
      index.starts.push(start)
      index.nodes.push(node)
    }
  }
  const enclosing: Node<E>[] = []
  const closeBefore = (start: bigint | null) => {
    for (let node = enclosing.at(-1); node && (start === null || node.last < start); node = enclosing.at(-1)) {
      enclosing.pop()
      begin(node.last + 1n, node.parent)
    }
  }
  const compare = (left: bigint, right: bigint) => (left < right ? -1 : Number(left > right))
  for (const { first, last, entry } of ranges.toSorted(
    (a, b) => compare(a.first, b.first) || compare(b.last, a.last),
  )) {
    closeBefore(first)
    const innermost = enclosing.at(-1) ?? null
    if (innermost?.first === first && innermost.last === last) {
      innermost.entries.push(entry)
      continue
    }
    const node = { entries: [entry], parent: innermost, first, last }
    enclosing.push(node)
    begin(first, node)
  }
  closeBefore(null)
  return index
}

/** Returns the smallest subnet that contains an address; null if none does. */
function nodeAt<E>({ starts, nodes }: Index<E>, address: bigint): Node<E> | null {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] as bigint) <= address) low = middle + 1
    else high = middle
  }
  return nodes[low - 1] ?? null
}

/** Indexes the entries for look-ups by address. Throws for an invalid subnet. */
export function compileLists<E extends ListedEntry>(entries: readonly E[]): AccessLists<E> {
  const ranges: { ipv4: Range<E>[]; ipv6: Range<E>[] } = { ipv4: [], ipv6: [] }
  for (const entry of entries) {
    const [address, bits] = parseSubnet(entry.subnet)
    const kind = address.kind()
    const hostBits = BigInt((kind === 'ipv4' ? 32 : 128) - bits)
    const first = (numberOf(address) >> hostBits) << hostBits
    ranges[kind].push({ first, last: first + (1n << hostBits) - 1n, entry })
  }
  return { entries, ipv4: indexOf(ranges.ipv4), ipv6: indexOf(ranges.ipv6) }
}

/**
 * Returns the entries that contain an address, whatever their dates. A text that is no address falls under every entry
 * of the blacklist and none of the whitelist.
 */
export function entriesOn<E extends ListedEntry>(lists: AccessLists<E>, ip: string): E[] {
  const address = parseAddress(ip)
  if (!address) return lists.entries.filter(({ list }) => list === 'blacklist')
  const matches: E[] = []
  for (let node = nodeAt(lists[address.kind()], numberOf(address)); node; node = node.parent)
    matches.push(...node.entries)
  return matches
}

/** Returns whether an entry counts at a moment: within its dates, both ends included. */
export const isActive = ({ dateFrom, dateTo }: Pick<ListedEntry, 'dateFrom' | 'dateTo'>, date: Date): boolean =>
  (dateFrom === null || date >= dateFrom) && (dateTo === null || date <= dateTo)

/**
 * Returns the first moment, now or later, at which none of these entries counts any more by its dates; null if there is
 * none. For the enabled entries of the whitelist, whitelistMode would then allow nobody.
 */
export function whitelistEnds(entries: readonly Pick<ListedEntry, 'dateFrom' | 'dateTo'>[], now: Date): Date | null {
  const begin = ({ dateFrom }: Pick<ListedEntry, 'dateFrom'>) => dateFrom?.getTime() ?? Number.NEGATIVE_INFINITY
  let end = now.getTime()
  for (const entry of entries.toSorted((a, b) => Math.sign(begin(a) - begin(b)) || 0)) {
    if (begin(entry) > end) break
    if (entry.dateTo === null) return null
    // dateTo itself is included
    end = Math.max(end, entry.dateTo.getTime() + 1)
  }
  return new Date(end)
}

/**
 * Returns whether an address is allowed (docs/rules/address-lists.md#verdict): never from a blacklisted subnet, and in
 * `whitelistMode` only from a whitelisted one. Entries are valid within their dates, both ends included.
 */
export function verdictOf(lists: AccessLists, whitelistMode: boolean, ip: string, now: Date): Verdict {
  let isWhitelisted = false
  for (const entry of entriesOn(lists, ip)) {
    if (!isActive(entry, now)) continue
    if (entry.list === 'blacklist') return 'denied'
    isWhitelisted = true
  }
  return isWhitelisted || !whitelistMode ? 'allowed' : 'denied'
}
