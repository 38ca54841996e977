import type { Values } from './conflict'

/** A row of a field that has one for each language. */
export type LocaleRow = { localeId: string } & Record<string, unknown>

const isRow = (row: unknown): row is LocaleRow =>
  typeof row === 'object' && row !== null && typeof (row as LocaleRow).localeId === 'string'

/** Returns whether these values of a field have a row for each language. One of them must have a row. */
export const areByLocale = (sides: readonly unknown[]): sides is LocaleRow[][] =>
  sides.every((side) => Array.isArray(side) && side.every(isRow)) && sides.some((side) => (side as []).length > 0)

/** The name of one language's row as a part of a field, for conflicts. */
export const localeName = (field: string, localeId: string) => `${field}/${localeId}`

const parts = (name: string) => name.split('/', 2) as [field: string, localeId?: string]

/** Returns the value of a field, or of one language's row of it. */
export function valueAt(values: Values, name: string): unknown {
  const [field, localeId] = parts(name)
  if (localeId === undefined) return values[field]
  return (values[field] as LocaleRow[]).find((row) => row.localeId === localeId)
}

/**
 * Returns the field of a name, and the field's value after its part gets this value. A language's row is replaced,
 * added at the end, or removed if the value is undefined.
 */
export function withValueAt(values: Values, name: string, value: unknown): { field: string; value: unknown } {
  const [field, localeId] = parts(name)
  if (localeId === undefined) return { field, value }
  const rows = values[field] as LocaleRow[]
  const index = rows.findIndex((row) => row.localeId === localeId)
  const put = value === undefined ? [] : [value as LocaleRow]
  return { field, value: index < 0 ? [...rows, ...put] : rows.toSpliced(index, 1, ...put) }
}

/** How many characters of a long text are shown around the difference. */
const mostShown = 140
const shownBefore = 30

/** Returns a text; of a long text, the part that begins shortly before it differs from the other text. */
export function whereItDiffers(text: string, otherText: string): string {
  if (text.length <= mostShown) return text
  let differsAt = 0
  while (differsAt < text.length && text[differsAt] === otherText[differsAt]) differsAt++
  // a text that only ends earlier shows its end
  const start = differsAt <= shownBefore ? 0 : Math.min(differsAt - shownBefore, text.length - mostShown + shownBefore)
  const part = text.slice(start, start + mostShown)
  return `${start > 0 ? '…' : ''}${part.trim()}${start + mostShown < text.length ? '…' : ''}`
}
