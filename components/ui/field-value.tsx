import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { mobileText } from '@/lib/base/text/mobile'
import { pictureIn } from '@/lib/fields/field-pictures/address'
import { type FieldView, type ShownPart, shownParts } from '@/lib/fields/values/definition'
import { FieldPicture } from './field-picture'

type Props = { field: Pick<FieldView, 'title' | 'fieldType' | 'options'>; value: unknown }

/**
 * The value of a field that administrators define, as text or a picture; nothing for an empty one. It accepts any
 * stored value, including one that the definition no longer accepts.
 */
export function FieldValue({ field, value }: Props) {
  const parts = shownParts(field, value)
  const textOf = usePartText()
  const picture = field.fieldType === 'picture' ? pictureIn(value) : null
  if (picture) return <FieldPicture title={field.title} id={picture} />
  if (parts.length === 0) return null
  return <span className="wrap-anywhere whitespace-pre-line">{parts.map(textOf).join(', ')}</span>
}

/** Returns a function that converts one part of a value to text. */
function usePartText() {
  const t = useTranslations('ui')
  const locale = useLocale()
  const format = useFormatter()
  return (part: ShownPart): string => {
    if (part.as === 'yesNo') return t(part.on ? 'list.yes' : 'list.no')
    if (part.as === 'phone') return mobileText(part.text, locale)
    if (part.as !== 'date') return part.text
    const day = new Date(`${part.text}T00:00:00Z`)
    if (Number.isNaN(day.getTime())) return part.text
    // a day is the same in every zone
    return format.dateTime(day, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  }
}
