import type { ChartPart } from './contract'
import type { SlotRow } from './queries'

const hour = 3_600_000

/** Returns a function that gives the beginning of the day or hour of a moment, as clocks of the zone show it. */
function beginningIn(timeZone: string, days: boolean) {
  const format = new Intl.DateTimeFormat('en', { timeZone, hourCycle: 'h23', hour: 'numeric', minute: 'numeric' })
  return (moment: number) => {
    const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
    const { hour: hours = 0, minute = 0 } = parts
    const whole = Math.floor(moment / 60_000) * 60_000
    return whole - minute * 60_000 - (days ? hours * hour : 0)
  }
}

/**
 * Returns the parts of a period that ends now: the hours of a day, or the days of more. A part in which nobody looked
 * has no checks (docs/rules/monitoring.md#history-of-a-check).
 */
export function partsOf(slots: readonly SlotRow[], hours: number, now: Date, timeZone: string): ChartPart[] {
  const days = hours > 24
  const begin = beginningIn(timeZone, days)
  const length = days ? 24 * hour : hour
  const count = hours / (days ? 24 : 1)
  const starts: number[] = [begin(now.getTime())]
  // a day may have 23 or 25 hours: its beginning is found from its middle
  while (starts.length < count) starts.unshift(begin((starts[0] ?? 0) - length / 2))
  const grouped = Map.groupBy(slots, ({ at }) => begin(at.getTime()))
  return starts.map((start) => {
    const within = grouped.get(start) ?? []
    const checks = within.reduce((all, slot) => all + slot.checks, 0)
    const failures = within.reduce((all, slot) => all + slot.failures, 0)
    const good = checks - failures
    const total = within.reduce((all, slot) => all + slot.total, 0)
    return {
      at: new Date(start).toISOString(),
      checks,
      failures,
      mean: good > 0 ? Math.round(total / good) : null,
      worst: good > 0 ? Math.max(...within.map(({ worst }) => worst)) : null,
    }
  })
}
