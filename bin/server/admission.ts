import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { clientIp, isTrusted } from '@/lib/base/limits/client-ip'
import { log } from '@/lib/base/runtime/log'
import { createRefusalCounts } from '@/lib/network/access-lists/refusal-counts'
import { accessRules, firstProxies } from '@/lib/network/access-lists/service'
import { verdictOf } from '@/lib/network/access-lists/verdict'

/** Milliseconds between two checks of open streams. A stream ends if the lists deny its address now. */
const sweepEvery = 5_000
/** The log warns once an hour about a proxy that isn't trusted. */
const toldEvery = 3_600_000
/** Milliseconds that a stop waits for refusals to be stored. */
const lastWords = 1_000

export type Admission = { ip: string; verdict: 'allowed' | 'denied' | 'unavailable' }

/**
 * Determines the address of a request and whether it is allowed, before any other code reads the request
 * (docs/rules/address-lists.md#place). `streams` are open streams, which end if their address is denied later.
 */
export function createAdmission(streams: () => ServerResponse[]) {
  const book = createRefusalCounts()
  let quietUntil = 0

  function tellUntrusted(socket: string | undefined) {
    if (Date.now() < quietUntil) return
    quietUntil = Date.now() + toldEvery
    log.warn(
      { proxy: socket },
      'X-Forwarded-For came from an address that is not trusted: everybody behind it counts as one address. If it is your proxy, name it in REVERSE_PROXY or in the setting reverseProxy',
    )
  }

  const sweep = async () => {
    const open = streams()
    const rules = open.length > 0 ? await accessRules() : null
    if (!rules) return
    for (const res of open) {
      const ip = String(res.req.headers['x-platform-ip'] ?? '')
      if (verdictOf(rules.lists, rules.whitelistMode, ip, new Date()) === 'denied') res.destroy()
    }
  }
  const timer = setInterval(() => void sweep(), sweepEvery).unref()

  return {
    async look(socket: string | undefined, forwardedFor: string | undefined): Promise<Admission> {
      const rules = await accessRules()
      const proxies = rules?.proxies ?? firstProxies()
      const ip = clientIp(socket, forwardedFor, proxies)
      if (forwardedFor && !isTrusted(socket, proxies)) tellUntrusted(socket)
      if (!rules) return { ip, verdict: 'unavailable' }
      return { ip, verdict: verdictOf(rules.lists, rules.whitelistMode, ip, new Date()) }
    },
    /** Records a refused request in the history, once an hour for its address. */
    note: (ip: string, requestId: string) => book.note(ip, requestId, new Date()),
    async close() {
      clearInterval(timer)
      // a database that hangs must not delay the stop
      await Promise.race([book.close(), pause(lastWords, undefined, { ref: false })])
    },
  }
}
