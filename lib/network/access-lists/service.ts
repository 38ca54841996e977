import { cached } from '@/lib/base/cache/cache'
import { env } from '@/lib/base/runtime/env'
import { log } from '@/lib/base/runtime/log'
import { withTimeout } from '@/lib/base/runtime/timeouts'
import { platformSettings } from '@/lib/site/settings/service'
import { trustedProxies } from '../trusted-proxies/service'
import type { AccessRules } from './lockout'
import { selectEnabledEntries } from './queries'
import { compileLists } from './verdict'

/** What was read last. It stays in force while the database is away. */
let last: AccessRules | null = null

/** Milliseconds that the database may take; and for how long it isn't asked again if it took longer or failed. */
const [patience, rest] = [1_000, 1_000]
let restUntil = 0
/** Milliseconds between two log lines about unreadable lists. */
const quiet = 60_000
let quietUntil = 0

async function read(): Promise<AccessRules> {
  const [{ whitelistMode }, lists, proxies] = await Promise.all([
    platformSettings(),
    // the lists contain the subnets of aliases, so a change of an alias must invalidate them
    cached('network-aliases:access-lists', async () => compileLists(await selectEnabledEntries())),
    trustedProxies(),
  ])
  // clientIp compiles each array once: the same list stays the same array
  const known = last?.proxies.join() === proxies.join() ? last.proxies : proxies
  last = { lists, whitelistMode, proxies: known }
  return last
}

const silent = () => new Error('the database does not answer')

/**
 * Returns the rules by which addresses get in; while the database is away, the ones read last. Returns null if none
 * were ever read: then nobody may be let in. Never throws.
 */
export async function accessRules(): Promise<AccessRules | null> {
  if (Date.now() < restUntil) return last
  try {
    const answer = read()
    return await (last ? withTimeout(patience, answer, silent) : answer)
  } catch (error) {
    restUntil = Date.now() + rest
    if (Date.now() > quietUntil) {
      quietUntil = Date.now() + quiet
      log.warn(
        { err: error },
        last
          ? 'the address lists are not readable; the last known ones stay in force'
          : 'the address lists are not readable; nobody is let in before they are',
      )
    }
    return last
  }
}

/** Returns the proxies that are trusted before anything is read from the database. */
export const firstProxies = (): string[] => env().REVERSE_PROXY
