/** The zone of times until a browser or an account names another one. */
export const defaultTimeZone = 'Europe/Moscow'

/** Names of the IANA database. Intl also accepts an offset such as `+03:00`, but a person's zone isn't one. */
const zoneName = /^[A-Za-z][\w+-]*(\/[A-Za-z][\w+-]*){0,2}$/

/** Zones by the name that was looked up; null for unknown names. Every request looks one up, and Intl is slow. */
const zonesByName = new Map<string, string | null>()
/** More than the names that Intl knows. If invented names fill the cache, it is cleared. */
const maxZonesByName = 1_000

/**
 * Returns a time zone by its IANA name, in the spelling of Intl; null for an unknown name and for none.
 */
export function timeZoneFrom(text: string | null | undefined): string | null {
  if (!text || text.length > 64 || !zoneName.test(text)) return null
  const cachedZone = zonesByName.get(text)
  if (cachedZone !== undefined) return cachedZone
  let zone: string | null = null
  try {
    zone = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    // no zone has this name
  }
  if (zonesByName.size >= maxZonesByName) zonesByName.clear()
  zonesByName.set(text, zone)
  return zone
}

/** Returns the offset of a zone from UTC at a moment, in milliseconds. */
function offsetAt(moment: number, timeZone: string): number {
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
  const part = (type: string) => Number(parts.find((candidate) => candidate.type === type)?.value ?? 0)
  const localMilliseconds = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return localMilliseconds - Math.floor(moment / 1000) * 1000
}

/**
 * Returns the moment of a local time of a zone. Both are in milliseconds, the local time as if it were UTC. A time that
 * the zone's clocks skip gives the end of the skipped hour.
 */
function momentOf(local: number, timeZone: string): number {
  // the offsets a day before and after: they differ if the clocks change between
  const [offsetBefore, offsetAfter] = [offsetAt(local - 86_400_000, timeZone), offsetAt(local + 86_400_000, timeZone)]
  const candidates = [local - offsetBefore, local - offsetAfter].toSorted((first, second) => first - second)
  return candidates.find((moment) => moment + offsetAt(moment, timeZone) === local) ?? Math.max(...candidates)
}

/**
 * Returns the moment at which a calendar day begins in a zone: its midnight, or the first moment after it if the clocks
 * skip midnight. `day` is `2026-11-23`; `addedDays` are added to it.
 */
export function dayBegins(day: string, timeZone: string, addedDays = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(momentOf(Date.UTC(year, month - 1, date + addedDays), timeZone))
}

/** Returns the moment of a local time of a zone, such as `2026-11-23T15:00`; null for other texts. */
export function momentAt(local: string, timeZone: string): Date | null {
  const localMilliseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(local)
    ? Date.parse(`${local}Z`)
    : Number.NaN
  return Number.isNaN(localMilliseconds) ? null : new Date(momentOf(localMilliseconds, timeZone))
}

/** Returns the local time of a zone at a moment, to the minute: `2026-11-23T15:00`. */
export const localTime = (moment: Date, timeZone: string): string =>
  new Date(moment.getTime() + offsetAt(moment.getTime(), timeZone)).toISOString().slice(0, 16)

/** Returns the label of a zone next to a time: `moscow`, such as `МСК`, for the default zone, else `UTC+5`. */
export function zoneLabel(timeZone: string, moment: Date, moscow: string): string {
  if (timeZone === defaultTimeZone) return moscow
  const minutes = Math.round(offsetAt(moment.getTime(), timeZone) / 60_000)
  const [hours, minuteRest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  if (minutes === 0) return 'UTC'
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${minuteRest > 0 ? `:${String(minuteRest).padStart(2, '0')}` : ''}`
}

/**
 * Returns the label of a zone next to times of any date: that of `zoneLabel`, or the IANA name if the zone has summer
 * time.
 */
export function yearRoundZoneLabel(timeZone: string, moscow: string, now = new Date()): string {
  const [winter, summer] = [new Date(Date.UTC(now.getUTCFullYear(), 0)), new Date(Date.UTC(now.getUTCFullYear(), 6))]
  const isSame =
    timeZone === defaultTimeZone || offsetAt(winter.getTime(), timeZone) === offsetAt(summer.getTime(), timeZone)
  return isSame ? zoneLabel(timeZone, now, moscow) : timeZone
}
