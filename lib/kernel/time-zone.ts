/** The zone of times until a browser or an account names another one. */
export const defaultTimeZone = 'Europe/Moscow'

/** Names of the IANA database; a shift such as `+03:00`, which Intl also takes, is no zone of a person. */
const name = /^[A-Za-z][\w+-]*(\/[A-Za-z][\w+-]*){0,2}$/

/** What names that were asked for mean: every request asks, and Intl takes its time. */
const known = new Map<string, string | null>()
/** More than the names that Intl knows; a stranger's invented ones push each other out. */
const mostKnown = 1_000

/**
 * Returns a time zone by its IANA name, as Intl spells it; null for a name that it doesn't know, and for nothing.
 */
export function timeZoneFrom(text: string | null | undefined): string | null {
  if (!text || text.length > 64 || !name.test(text)) return null
  const kept = known.get(text)
  if (kept !== undefined) return kept
  let zone: string | null = null
  try {
    zone = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    // no zone has this name
  }
  if (known.size >= mostKnown) known.clear()
  known.set(text, zone)
  return zone
}

/** Returns the shift of a zone from UTC at a moment, in milliseconds. */
function shiftAt(moment: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(moment)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value ?? 0)
  const there = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return there - Math.floor(moment / 1000) * 1000
}

/**
 * Returns the moment at which a day of the calendar begins in a zone: its midnight, or the first moment after it where
 * the clock leaps over midnight. `day` is `2026-11-23`; `later` adds days.
 */
export function dayBegins(day: string, timeZone: string, later = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const midnight = Date.UTC(year, month - 1, date + later)
  // the shift before the midnight and after it: they differ where the clock is set in that night
  const [before, after] = [shiftAt(midnight - 86_400_000, timeZone), shiftAt(midnight + 86_400_000, timeZone)]
  const candidates = [midnight - before, midnight - after].toSorted((one, other) => one - other)
  const found = candidates.find((moment) => moment + shiftAt(moment, timeZone) === midnight)
  return new Date(found ?? Math.max(...candidates))
}

/** Returns how a zone is called beside a time: `МСК` or `Moscow time` by the given words, else `UTC+5`. */
export function zoneLabel(timeZone: string, moment: Date, moscow: string): string {
  if (timeZone === defaultTimeZone) return moscow
  const minutes = Math.round(shiftAt(moment.getTime(), timeZone) / 60_000)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  if (minutes === 0) return 'UTC'
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest > 0 ? `:${String(rest).padStart(2, '0')}` : ''}`
}
