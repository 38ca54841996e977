import { cached } from '@/lib/base/cache/cache'
import { env } from '@/lib/base/runtime/env'
import { log } from '@/lib/base/runtime/log'
import { withTimeout } from '@/lib/base/runtime/timeouts'
import { platformSettings } from '@/lib/site/settings/service'
import { trustedProxies } from '../trusted-proxies/service'
import type { AccessRules } from './lockout'
import { selectEnabledEntries } from './queries'
import { compileLists } from './verdict'

/** The rules that were read last. They stay in force while the database can't be reached. */
let lastRules: AccessRules | null = null

/** Milliseconds after which a read counts as failed; and for which the database isn't read again after a failure. */
const [readTimeout, pauseLength] = [1_000, 1_000]
let pausedUntil = 0
/** Milliseconds between two log lines about unreadable lists. */
const logInterval = 60_000
let nextLogTime = 0

async function readRules(): Promise<AccessRules> {
  const [{ whitelistMode }, lists, proxies] = await Promise.all([
    platformSettings(),
    // the lists contain the subnets of aliases, so a change of an alias must invalidate them
    cached('network-aliases:access-lists', async () => compileLists(await selectEnabledEntries())),
    trustedProxies(),
  ])
  // clientIp compiles each array once, so an unchanged list stays the same array
  const stableProxies = lastRules?.proxies.join() === proxies.join() ? lastRules.proxies : proxies
  lastRules = { lists, whitelistMode, proxies: stableProxies }
  return lastRules
}

const timeoutError = () => new Error('the database does not answer')

/**
 * Returns the rules by which addresses are allowed; while the database can't be reached, those read last. Returns null
 * if none were ever read: then nobody may be allowed. Never throws.
 */
export async function accessRules(): Promise<AccessRules | null> {
  if (Date.now() < pausedUntil) return lastRules
  try {
    const reading = readRules()
    return await (lastRules ? withTimeout(readTimeout, reading, timeoutError) : reading)
  } catch (error) {
    pausedUntil = Date.now() + pauseLength
    if (Date.now() > nextLogTime) {
      nextLogTime = Date.now() + logInterval
      log.warn(
        { err: error },
        lastRules
          ? 'the address lists are not readable; the last known ones stay in force'
          : 'the address lists are not readable; nobody is let in before they are',
      )
    }
    return lastRules
  }
}

/** Returns the proxies that are trusted before anything is read from the database. */
export const firstProxies = (): string[] => env().REVERSE_PROXY
