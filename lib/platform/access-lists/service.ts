import { cached } from '@/lib/kernel/cache'
import { env } from '@/lib/kernel/env'
import { log } from '@/lib/kernel/log'
import { withTimeout } from '@/lib/kernel/patience'
import { trustedProxies } from '@/lib/platform/network-aliases/service'
import { platformSettings } from '@/lib/platform/settings/service'
import { enabledEntries } from './queries'
import type { AccessRules } from './shut-out'
import { compileLists } from './verdict'

/** What the database gave last: while it is away this stays in force. */
let last: AccessRules | null = null

/** Milliseconds that the database may take, and for which it is left alone when it took longer or failed. */
const [patience, rest] = [1_000, 1_000]
let restUntil = 0
/** The log tells once a minute that nothing is readable. */
const quiet = 60_000
let quietUntil = 0

async function read(): Promise<AccessRules> {
  const [{ whitelistMode }, lists, proxies] = await Promise.all([
    platformSettings(),
    // aliases name subnets too: what drops them from the cache drops this
    cached('network-aliases:access-lists', async () => compileLists(await enabledEntries())),
    trustedProxies(),
  ])
  // the same array for the same list, which clientIp has compiled already
  const known = last?.proxies.join() === proxies.join() ? last.proxies : proxies
  last = { lists, whitelistMode, proxies: known }
  return last
}

const silent = () => new Error('the database does not answer')

/**
 * Who gets in by the lists as they are now; while the database is away as they were last. Null before any were read:
 * then nobody can be let in. Never throws.
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
          ? 'the address lists are not readable; the last known ones hold'
          : 'the address lists are not readable; nobody is let in before they are',
      )
    }
    return last
  }
}

/** The proxies that are trusted before anything was read. */
export const firstProxies = (): string[] => env().REVERSE_PROXY
