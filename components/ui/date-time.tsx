import { useFormatter } from 'next-intl'
import { useZone } from './use-zone'

const forms = {
  /** “19 нояб., 14:02”; with the year if it isn't the current one. */
  short: { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
  full: { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  time: { hour: 'numeric', minute: '2-digit' },
} as const

type Props = {
  /** A moment: a Date, or ISO 8601 with its zone. */
  value: Date | string
  form?: keyof typeof forms
}

/**
 * A moment in the reader's language, with digits of equal width. A time names its zone; in a table only the foot names
 * it.
 */
export function DateTime({ value, form = 'short' }: Props) {
  const format = useFormatter()
  const zoneOf = useZone()
  const moment = typeof value === 'string' ? new Date(value) : value
  const thisYear = moment.getUTCFullYear() === new Date().getUTCFullYear()
  return (
    <time dateTime={moment.toISOString()} className="tabular-nums *:whitespace-nowrap">
      <span>{format.dateTime(moment, forms[form === 'short' && !thisYear ? 'full' : form])}</span>{' '}
      {form === 'date' ? null : <span data-zone="">{zoneOf(moment)}</span>}
    </time>
  )
}
