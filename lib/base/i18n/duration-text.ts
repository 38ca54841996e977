const unitOf = {
  seconds: 'second',
  minutes: 'minute',
  hours: 'hour',
  days: 'day',
  months: 'month',
  years: 'year',
} as const

const formatOf = (unit: keyof typeof unitOf, locale: string) =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: unitOf[unit], unitDisplay: 'long' })

/** Returns a duration in words, such as “7 days”. */
export const durationText = ({ value, unit }: { value: number; unit: keyof typeof unitOf }, locale: string): string =>
  formatOf(unit, locale).format(value)

/** Returns the name of a unit of time in the form that goes with a number, such as “days”. */
export const unitText = (unit: keyof typeof unitOf, count: number, locale: string): string =>
  formatOf(unit, locale)
    .formatToParts(count)
    .find(({ type }) => type === 'unit')?.value ?? unit
