import { networkOf } from '@/lib/base/limits/client-ip'
import { log } from '@/lib/base/runtime/log'
import { hourLength, mostNoted, type Refused, storeRefusals } from './refusals'

/** Milliseconds until new addresses are stored, and until counts alone are stored or a failed attempt is repeated. */
const [soon, later] = [1_000, 60_000]

type Page = {
  hour: number
  /** Addresses that have a history row of this hour. */
  known: Set<string>
  waiting: Map<string, Refused>
  /** How many requests came from addresses that get no row. */
  others: number
  full: boolean
}

const blank = (hour: number): Page => ({ hour, known: new Set(), waiting: new Map(), others: 0, full: false })
const isPending = ({ waiting, others }: Page) => waiting.size > 0 || others > 0

/**
 * Collects what this process refuses, so that a flood costs at most one statement a second, and one a minute once the
 * hour has all its rows. Its memory is bounded, also while the database is away.
 */
export function createRefusalCounts(store: typeof storeRefusals = storeRefusals) {
  let page = blank(0)
  let older: Page[] = []
  let timer: NodeJS.Timeout | undefined
  let due = Number.POSITIVE_INFINITY
  let running: Promise<void> | undefined

  function schedule(delay: number) {
    const at = Date.now() + delay
    if (at >= due) return
    clearTimeout(timer)
    due = at
    timer = setTimeout(() => void flush(), delay).unref()
  }

  function putBack(into: Page, waiting: Page['waiting'], others: number) {
    for (const [key, refused] of waiting) {
      into.known.delete(key)
      if (into.waiting.size < mostNoted) into.waiting.set(key, refused)
      else into.others++
    }
    into.others += others
  }

  async function storePage(into: Page): Promise<boolean> {
    const { waiting, others } = into
    into.waiting = new Map()
    into.others = 0
    for (const key of waiting.keys()) into.known.add(key)
    try {
      const { keys, full } = await store(new Date(into.hour * hourLength), [...waiting.values()], others)
      const noted = new Set(keys)
      for (const key of waiting.keys()) if (!noted.has(key)) into.known.delete(key)
      into.full = full
      return true
    } catch (error) {
      putBack(into, waiting, others)
      log.warn({ err: error }, 'refused addresses are not in the history yet')
      return false
    }
  }

  async function storeAll() {
    due = Number.POSITIVE_INFINITY
    clearTimeout(timer)
    let well = true
    for (const each of [...older, page]) if (isPending(each)) well = (await storePage(each)) && well
    older = older.filter(isPending)
    if (older.length > 0 || isPending(page)) schedule(well && page.waiting.size > 0 ? soon : later)
  }

  /** Stores everything that waits. Never throws. */
  function flush(): Promise<void> {
    running ??= storeAll().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    note(ip: string, requestId: string, at: Date) {
      const hour = Math.floor(at.getTime() / hourLength)
      if (page.hour !== hour) {
        if (isPending(page)) older = [...older.slice(-1), page]
        page = blank(hour)
      }
      const key = networkOf(ip) || 'unknown'
      if (page.known.has(key) || page.waiting.has(key)) return
      if (page.full || page.waiting.size >= mostNoted) {
        page.others++
        schedule(later)
        return
      }
      page.waiting.set(key, { key, ip, requestId, at })
      schedule(soon)
    },
    async close() {
      await running
      await flush()
      clearTimeout(timer)
    },
  }
}
