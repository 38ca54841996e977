import { useFormatter, useTranslations } from 'next-intl'
import type { Plain } from '@/lib/base/audit/values'
import { wordsOf } from '@/lib/base/i18n/words'
import type { Names } from '@/lib/operations/history/contract'
import type { Shown } from '@/lib/operations/history/shown'
import { useZone } from '../ui/use-zone'

const day = /^\d{4}-\d{2}-\d{2}$/
/** How many characters of a text are shown at first; the rest unfolds. */
const folded = 240

/** Units that Intl knows, as the settings store them. */
const unit = /^(second|minute|hour|day)s?$/

/** The text of one recorded value. */
export function ShownValue({ shown, names }: { shown: Shown; names: Names }) {
  const t = useTranslations('history.view')
  const text = useValueText(names)(shown)
  if (shown.as === 'cut') return <Folded text={text} note={t('cut', { count: shown.length })} />
  if (shown.as === 'text' || shown.as === 'json') return <Folded text={text} />
  return text
}

function Folded({ text, note }: { text: string; note?: string }) {
  const t = useTranslations('history.view')
  const signs = [...text]
  if (signs.length <= folded && !note) return text
  return (
    <>
      {signs.slice(0, folded).join('')}
      {signs.length > folded ? (
        <details className="inline [&[open]>summary]:hidden">
          <summary className="inline-flex min-h-6 cursor-pointer items-center whitespace-nowrap font-medium text-brand text-note underline underline-offset-3">
            …&nbsp;{t('unfold')}
          </summary>
          {signs.slice(folded).join('')}
          {note ? <span className="block text-ink-second text-note no-underline">{note}</span> : null}
        </details>
      ) : null}
    </>
  )
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Returns the beginning of a long id that has no name; a code unchanged. */
export const shortId = (id: string) => (uuid.test(id) ? `${id.slice(0, 8)}…` : id)

/** Returns the name of the object with this id, if it is known. */
export const nameIn = (names: Names, id: string) => (Object.hasOwn(names, id) ? names[id] : undefined)

/** Returns a function that converts recorded values to text. */
function useValueText(names: Names) {
  const t = useTranslations('ui')
  const tHistory = useTranslations('history.view')
  const tAll = wordsOf(useTranslations())
  const format = useFormatter()
  const zoneOf = useZone()
  const moment = (value: string) => {
    const date = new Date(value)
    if (Number.isNaN(date.getTime())) return value
    // a day has no time, and is the same in every zone
    if (day.test(value))
      return format.dateTime(date, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
    const form = { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' } as const
    return `${format.dateTime(date, form)}\u00a0${zoneOf(date)}`
  }
  const plainText = (value: Plain): string => {
    if (value === null) return tHistory('none')
    if (typeof value === 'boolean') return t(value ? 'list.yes' : 'list.no')
    if (typeof value === 'number') return format.number(value, { maximumFractionDigits: 20 })
    if (typeof value === 'string') return nameIn(names, value) ?? value
    if (Array.isArray(value)) return value.map(plainText).join(', ')
    const [, unitName] = typeof value.unit === 'string' ? (unit.exec(value.unit) ?? []) : []
    if (unitName && typeof value.value === 'number' && Object.keys(value).length === 2)
      return format.number(value.value, { style: 'unit', unit: unitName, unitDisplay: 'long' })
    const members = Object.entries(value)
    // a reference is shown by the name of its object
    if (members.length > 0 && members.every(([, each]) => typeof each === 'string' && nameIn(names, each)))
      return members.map(([, each]) => plainText(each)).join(' · ')
    return members.map(([name, each]) => `${name}: ${plainText(each)}`).join(', ')
  }
  return (shown: Shown): string => {
    if (shown.as === 'choice') return tAll.has(shown.text) ? tAll(shown.text) : shown.value
    if (shown.as === 'date') return typeof shown.value === 'string' ? moment(shown.value) : plainText(shown.value)
    // a text is shown as it is: it may look like an id without being one
    if (shown.as === 'text' || shown.as === 'cut') return String(shown.value)
    return plainText(shown.value)
  }
}
