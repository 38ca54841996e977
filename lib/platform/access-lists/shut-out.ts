import { clientIp } from '@/lib/kernel/client-ip'
import { type AccessLists, entriesOn, verdictOf } from './verdict'

/** All that decides whether an address gets in; `proxies` are those whose X-Forwarded-For is believed. */
export type AccessRules = { lists: AccessLists; whitelistMode: boolean; proxies: string[] }
/** Where a request came from: its address and, if they are known, what that was read from. */
export type Origin = { ip: string; connection?: { socket: string; forwardedFor?: string } }

/** With other proxies the same request has another address. */
const addressBy = ({ proxies }: AccessRules, { ip, connection }: Origin) =>
  connection ? clientIp(connection.socket, connection.forwardedFor, proxies) : ip

const verdictBy = (rules: AccessRules, ip: string, at: Date) => verdictOf(rules.lists, rules.whitelistMode, ip, at)

/** The moments at which what the rules say of an address may change. */
const momentsOf = (rules: AccessRules, ip: string) =>
  entriesOn(rules.lists, ip).flatMap(({ dateFrom, dateTo }) => [
    ...(dateFrom ? [dateFrom.getTime()] : []),
    // the end is included
    ...(dateTo ? [dateTo.getTime() + 1] : []),
  ])

/**
 * The first moment, now or later, at which a change keeps out whoever makes it while without it they would get in;
 * null if there is none. Nobody may make a change that has one (docs/rules/address-lists.md#own-address).
 */
export function shutOutAt(before: AccessRules, after: AccessRules, origin: Origin, now: Date): Date | null {
  const [was, is] = [addressBy(before, origin), addressBy(after, origin)]
  const moments = [now.getTime(), ...momentsOf(before, was), ...momentsOf(after, is)]
    .filter((moment) => moment >= now.getTime())
    .sort((one, other) => one - other)
    .map((moment) => new Date(moment))
  return moments.find((at) => verdictBy(after, is, at) === 'denied' && verdictBy(before, was, at) === 'allowed') ?? null
}
