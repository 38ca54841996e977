import type { ChartPart } from './contract'
import type { SlotRow } from './queries'

const hour = 3_600_000

/** Returns a function that returns the beginning of a moment's day or hour, in this time zone. */
function periodStartIn(timeZone: string, days: boolean) {
  const format = new Intl.DateTimeFormat('en', { timeZone, hourCycle: 'h23', hour: 'numeric', minute: 'numeric' })
  return (moment: number) => {
    const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
    const { hour: hours = 0, minute = 0 } = parts
    const fullMinute = Math.floor(moment / 60_000) * 60_000
    return fullMinute - minute * 60_000 - (days ? hours * hour : 0)
  }
}

/**
 * Returns the parts of a period that ends now: the hours of a day, or the days of a longer period. A part without
 * results has zero checks (docs/rules/monitoring.md#history-of-a-check).
 */
export function partsOf(slots: readonly SlotRow[], hours: number, now: Date, timeZone: string): ChartPart[] {
  const days = hours > 24
  const startOf = periodStartIn(timeZone, days)
  const length = days ? 24 * hour : hour
  const count = hours / (days ? 24 : 1)
  const starts: number[] = [startOf(now.getTime())]
  // a day may have 23 or 25 hours, so its beginning is computed from a moment in its middle
  while (starts.length < count) starts.unshift(startOf((starts[0] ?? 0) - length / 2))
  const grouped = Map.groupBy(slots, ({ at }) => startOf(at.getTime()))
  return starts.map((start) => {
    const partSlots = grouped.get(start) ?? []
    const checks = partSlots.reduce((sum, slot) => sum + slot.checks, 0)
    const failures = partSlots.reduce((sum, slot) => sum + slot.failures, 0)
    const successes = checks - failures
    const total = partSlots.reduce((sum, slot) => sum + slot.total, 0)
    return {
      at: new Date(start).toISOString(),
      checks,
      failures,
      mean: successes > 0 ? Math.round(total / successes) : null,
      worst: successes > 0 ? Math.max(...partSlots.map(({ worst }) => worst)) : null,
    }
  })
}
