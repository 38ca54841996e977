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

/** The moment at which the clocks of a zone show a time, given as if it were UTC; after a leap of theirs, its end. */
function momentOf(shown: number, timeZone: string): number {
  // the shift before and after: they differ where the clock is set in that night
  const [before, after] = [shiftAt(shown - 86_400_000, timeZone), shiftAt(shown + 86_400_000, timeZone)]
  const candidates = [shown - before, shown - after].toSorted((one, other) => one - other)
  return candidates.find((moment) => moment + shiftAt(moment, timeZone) === shown) ?? Math.max(...candidates)
}

/**
 * Returns the moment at which a day of the calendar begins in a zone: its midnight, or the first moment after it where
 * the clock leaps over midnight. `day` is `2026-11-23`; `later` adds days.
 */
export function dayBegins(day: string, timeZone: string, later = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(momentOf(Date.UTC(year, month - 1, date + later), timeZone))
}

/** Returns the moment of a local time of a zone, such as `2026-11-23T15:00`; null for another text. */
export function momentAt(local: string, timeZone: string): Date | null {
  const shown = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(local) ? Date.parse(`${local}Z`) : Number.NaN
  return Number.isNaN(shown) ? null : new Date(momentOf(shown, timeZone))
}

/** Returns the local time of a zone at a moment, to the minute: `2026-11-23T15:00`. */
export const localTime = (moment: Date, timeZone: string): string =>
  new Date(moment.getTime() + shiftAt(moment.getTime(), timeZone)).toISOString().slice(0, 16)

/** Returns how a zone is called beside a time: `МСК` or `Moscow time` by the given words, else `UTC+5`. */
export function zoneLabel(timeZone: string, moment: Date, moscow: string): string {
  if (timeZone === defaultTimeZone) return moscow
  const minutes = Math.round(shiftAt(moment.getTime(), timeZone) / 60_000)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  if (minutes === 0) return 'UTC'
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest > 0 ? `:${String(rest).padStart(2, '0')}` : ''}`
}

/**
 * Returns how a zone is called beside times of any date: as `zoneLabel` does, or by its IANA name where its clocks are set
 * in spring and autumn.
 */
export function lastingZoneLabel(timeZone: string, moscow: string, now = new Date()): string {
  const [winter, summer] = [new Date(Date.UTC(now.getUTCFullYear(), 0)), new Date(Date.UTC(now.getUTCFullYear(), 6))]
  const isSame =
    timeZone === defaultTimeZone || shiftAt(winter.getTime(), timeZone) === shiftAt(summer.getTime(), timeZone)
  return isSame ? zoneLabel(timeZone, now, moscow) : timeZone
}
