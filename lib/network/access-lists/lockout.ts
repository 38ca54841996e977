import { clientIp, isTrusted } from '@/lib/base/limits/client-ip'
import { type AccessLists, entriesOn, isActive, verdictOf } from './verdict'

/** Everything that decides whether an address is allowed; the X-Forwarded-For of `proxies` is trusted. */
export type AccessRules = { lists: AccessLists; whitelistMode: boolean; proxies: string[] }
/** Where a request came from: its address and, if known, the connection from which the address was read. */
export type RequestOrigin = { ip: string; connection?: { socket: string; forwardedFor?: string } }

/** Returns the address of a request by these rules: with other trusted proxies the same request has another address. */
const addressBy = ({ proxies }: AccessRules, { ip, connection }: RequestOrigin) =>
  connection ? clientIp(connection.socket, connection.forwardedFor, proxies) : ip

const judge = (rules: AccessRules, ip: string, moment: Date) => verdictOf(rules.lists, rules.whitelistMode, ip, moment)

/** Returns the moments at which the verdict on an address may change. */
const changesOfVerdict = (rules: AccessRules, ip: string) =>
  entriesOn(rules.lists, ip).flatMap(({ dateFrom, dateTo }) => [
    ...(dateFrom ? [dateFrom.getTime()] : []),
    // dateTo itself is included
    ...(dateTo ? [dateTo.getTime() + 1] : []),
  ])

/**
 * Returns the first moment, now or later, at which the new rules deny the caller and the old ones allow them; null if
 * there is none. Such a change is refused (docs/rules/address-lists.md#own-address).
 */
export function shutOutAt(before: AccessRules, after: AccessRules, origin: RequestOrigin, now: Date): Date | null {
  const [oldIp, ip] = [addressBy(before, origin), addressBy(after, origin)]
  const dates = [now.getTime(), ...changesOfVerdict(before, oldIp), ...changesOfVerdict(after, ip)]
    .filter((moment) => moment >= now.getTime())
    .sort((a, b) => a - b)
    .map((moment) => new Date(moment))
  return dates.find((date) => judge(after, ip, date) === 'denied' && judge(before, oldIp, date) === 'allowed') ?? null
}

/**
 * Returns what denies the caller at that moment: `blacklist` if they are on it, else `whitelist`; `proxy` if the change
 * gives the caller another address.
 */
export function deniedBy(before: AccessRules, after: AccessRules, origin: RequestOrigin, date: Date) {
  const address = addressBy(after, origin)
  if (address !== addressBy(before, origin)) return 'proxy'
  const isBlacklisted = entriesOn(after.lists, address).some(
    (entry) => entry.list === 'blacklist' && isActive(entry, date),
  )
  return isBlacklisted ? 'blacklist' : 'whitelist'
}

/**
 * Returns whether the change makes the caller's request appear to come from one of the proxies. Either a proxy is no
 * longer trusted, so that everybody behind it has the same address, or people's own network is trusted as a proxy, so
 * that they could claim any address. Such a change is refused (docs/rules/address-lists.md#own-address).
 */
export function isMisread(before: AccessRules, after: AccessRules, origin: RequestOrigin): boolean {
  const [oldIp, newIp] = [addressBy(before, origin), addressBy(after, origin)]
  if (newIp === oldIp && isTrusted(oldIp, before.proxies)) return false
  return isTrusted(newIp, before.proxies) || isTrusted(newIp, after.proxies)
}
