import { networkOf } from '@/lib/base/limits/client-ip'
import { log } from '@/lib/base/runtime/log'
import { hourLength, maxRowsPerHour, type RefusedAddress, storeRefusals } from './refusals'

/**
 * Milliseconds until new addresses are stored; and until counts without new addresses are stored, or a failed attempt
 * is repeated.
 */
const [shortDelay, longDelay] = [1_000, 60_000]

type HourCounts = {
  hour: number
  /** Addresses that have a history row of this hour. */
  known: Set<string>
  waiting: Map<string, RefusedAddress>
  /** How many requests came from addresses that get no row. */
  others: number
  full: boolean
}

const newHour = (hour: number): HourCounts => ({ hour, known: new Set(), waiting: new Map(), others: 0, full: false })
const isPending = ({ waiting, others }: HourCounts) => waiting.size > 0 || others > 0

/**
 * Collects the addresses that this process refuses, so that a flood costs at most one statement a second, and one a
 * minute once the hour has all its rows. Its memory is bounded, also while the database can't be reached.
 */
export function createRefusalCounts(store: typeof storeRefusals = storeRefusals) {
  let current = newHour(0)
  let previousHours: HourCounts[] = []
  let timer: NodeJS.Timeout | undefined
  let nextFlush = Number.POSITIVE_INFINITY
  let currentFlush: Promise<void> | undefined

  function schedule(delay: number) {
    const at = Date.now() + delay
    if (at >= nextFlush) return
    clearTimeout(timer)
    nextFlush = at
    timer = setTimeout(() => void flush(), delay).unref()
  }

  function putBack(counts: HourCounts, waiting: HourCounts['waiting'], others: number) {
    for (const [key, refused] of waiting) {
      counts.known.delete(key)
      if (counts.waiting.size < maxRowsPerHour) counts.waiting.set(key, refused)
      else counts.others++
    }
    counts.others += others
  }

  async function storeHour(counts: HourCounts): Promise<boolean> {
    const { waiting, others } = counts
    counts.waiting = new Map()
    counts.others = 0
    for (const key of waiting.keys()) counts.known.add(key)
    try {
      const { keys, full } = await store(new Date(counts.hour * hourLength), [...waiting.values()], others)
      const storedKeys = new Set(keys)
      for (const key of waiting.keys()) if (!storedKeys.has(key)) counts.known.delete(key)
      counts.full = full
      return true
    } catch (error) {
      putBack(counts, waiting, others)
      log.warn({ err: error }, 'refused addresses are not in the history yet')
      return false
    }
  }

  async function storeAll() {
    nextFlush = Number.POSITIVE_INFINITY
    clearTimeout(timer)
    let allStored = true
    for (const hourCounts of [...previousHours, current])
      if (isPending(hourCounts)) allStored = (await storeHour(hourCounts)) && allStored
    previousHours = previousHours.filter(isPending)
    if (previousHours.length > 0 || isPending(current))
      schedule(allStored && current.waiting.size > 0 ? shortDelay : longDelay)
  }

  /** Stores all pending counts. Never throws. */
  function flush(): Promise<void> {
    currentFlush ??= storeAll().finally(() => {
      currentFlush = undefined
    })
    return currentFlush
  }

  return {
    note(ip: string, requestId: string, at: Date) {
      const hour = Math.floor(at.getTime() / hourLength)
      if (current.hour !== hour) {
        if (isPending(current)) previousHours = [...previousHours.slice(-1), current]
        current = newHour(hour)
      }
      const key = networkOf(ip) || 'unknown'
      if (current.known.has(key) || current.waiting.has(key)) return
      if (current.full || current.waiting.size >= maxRowsPerHour) {
        current.others++
        schedule(longDelay)
        return
      }
      current.waiting.set(key, { key, ip, requestId, at })
      schedule(shortDelay)
    },
    async close() {
      await currentFlush
      await flush()
      clearTimeout(timer)
    },
  }
}
