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
 * Returns the field of a name and its value once the part has this value. A row of a language is replaced, added at the
 * end, or removed if the value is undefined.
 */
export function withValueAt(values: Values, name: string, value: unknown): { field: string; value: unknown } {
  const [field, localeId] = parts(name)
  if (localeId === undefined) return { field, value }
  const rows = values[field] as LocaleRow[]
  const at = rows.findIndex((row) => row.localeId === localeId)
  const put = value === undefined ? [] : [value as LocaleRow]
  return { field, value: at < 0 ? [...rows, ...put] : rows.toSpliced(at, 1, ...put) }
}

/** How many characters of a long text are shown where it differs. */
const shown = 140
const before = 30

/** Returns a text, or of a long one the part from shortly before it begins to differ from the other. */
export function whereItDiffers(text: string, other: string): string {
  if (text.length <= shown) return text
  let at = 0
  while (at < text.length && text[at] === other[at]) at++
  // a text that only ends earlier shows its end
  const start = at <= before ? 0 : Math.min(at - before, text.length - shown + before)
  const part = text.slice(start, start + shown)
  return `${start > 0 ? '…' : ''}${part.trim()}${start + shown < text.length ? '…' : ''}`
}
