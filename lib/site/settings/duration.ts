/** Seconds of each unit; a month has 30 days and a year 365. */
export const secondsIn = {
  seconds: 1,
  minutes: 60,
  hours: 3_600,
  days: 86_400,
  months: 2_592_000,
  years: 31_536_000,
} as const
export type DurationUnit = keyof typeof secondsIn
export type StoredDuration = { value: number; unit: DurationUnit }

export const durationUnits = Object.keys(secondsIn) as DurationUnit[]

/** Returns a duration in seconds. */
export const inSeconds = ({ value, unit }: StoredDuration) => value * secondsIn[unit]

/** Returns a number of seconds in the largest unit that divides it, such as 10 080 minutes as 7 days. */
export function asDuration(seconds: number): StoredDuration {
  // months and years are left out: a limit of 60 days isn't "2 months"
  const units = ['days', 'hours', 'minutes'] as const
  const unit =
    units.find((candidate) => seconds >= secondsIn[candidate] && seconds % secondsIn[candidate] === 0) ?? 'seconds'
  return { value: seconds / secondsIn[unit], unit }
}
