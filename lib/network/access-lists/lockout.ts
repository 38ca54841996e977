import { clientIp, isTrusted } from '@/lib/base/limits/client-ip'
import { type AccessLists, entriesOn, isActive, verdictOf } from './verdict'

/** Everything that decides whether an address is allowed; the X-Forwarded-For of `proxies` is trusted. */
export type AccessRules = { lists: AccessLists; whitelistMode: boolean; proxies: string[] }
/** Where a request came from: its address and, if known, the connection from which the address was read. */
export type Origin = { ip: string; connection?: { socket: string; forwardedFor?: string } }

/** The address of the request by these rules: with other trusted proxies the same request has another address. */
const addressBy = ({ proxies }: AccessRules, { ip, connection }: Origin) =>
  connection ? clientIp(connection.socket, connection.forwardedFor, proxies) : ip

const verdictBy = (rules: AccessRules, ip: string, at: Date) => verdictOf(rules.lists, rules.whitelistMode, ip, at)

/** The moments at which the verdict on an address may change. */
const momentsOf = (rules: AccessRules, ip: string) =>
  entriesOn(rules.lists, ip).flatMap(({ dateFrom, dateTo }) => [
    ...(dateFrom ? [dateFrom.getTime()] : []),
    // dateTo itself is included
    ...(dateTo ? [dateTo.getTime() + 1] : []),
  ])

/**
 * Returns the first moment, now or later, at which the change shuts out the person who makes it, although without the
 * change they would get in; null if there is none. Such a change is refused (docs/rules/address-lists.md#own-address).
 */
export function shutOutAt(before: AccessRules, after: AccessRules, origin: Origin, now: Date): Date | null {
  const [was, is] = [addressBy(before, origin), addressBy(after, origin)]
  const moments = [now.getTime(), ...momentsOf(before, was), ...momentsOf(after, is)]
    .filter((moment) => moment >= now.getTime())
    .sort((one, other) => one - other)
    .map((moment) => new Date(moment))
  return moments.find((at) => verdictBy(after, is, at) === 'denied' && verdictBy(before, was, at) === 'allowed') ?? null
}

/**
 * Returns what denies the person who makes a change at that moment: a list that they are on, or one that they aren't on;
 * `proxy` if the change makes another address of theirs.
 */
export function deniedBy(before: AccessRules, after: AccessRules, origin: Origin, at: Date) {
  const is = addressBy(after, origin)
  if (is !== addressBy(before, origin)) return 'proxy'
  const black = entriesOn(after.lists, is).some((entry) => entry.list === 'blacklist' && isActive(entry, at))
  return black ? 'blacklist' : 'whitelist'
}

/**
 * Returns whether, after the change, the request of the person who makes it would be read as coming from one of the
 * proxies, which it isn't now: a proxy is no longer trusted, so that everybody behind it becomes one address, or people's
 * own network is trusted as a proxy, so that they could claim any address. Such a change is refused
 * (docs/rules/address-lists.md#own-address).
 */
export function isMisread(before: AccessRules, after: AccessRules, origin: Origin): boolean {
  const [was, is] = [addressBy(before, origin), addressBy(after, origin)]
  if (is === was && isTrusted(was, before.proxies)) return false
  return isTrusted(is, before.proxies) || isTrusted(is, after.proxies)
}
