import type { ExportCell } from '@/lib/base/export/xlsx'
import { searchForm } from '@/lib/base/lists/search-form'
import { type FieldView, isChosen, shownParts } from '@/lib/fields/values/definition'

/** A field in one language, with the words for yes and no in it. */
export type LocalizedField = FieldView & { yesNo: (on: boolean) => string }
/** A field of a table: in the language of the reader, and in the other languages in which a file may be written. */
export type TableField = LocalizedField & { others: LocalizedField[] }

/** Returns a text as searches compare it, with single spaces and without invisible characters. */
export const folded = (text: string): string =>
  searchForm(text.replace(/\p{DI}/gu, ''))
    .replace(/\s+/g, ' ')
    .trim()

const separators = /[;|\n]/

/** Returns the parts of a cell with several values, which are separated by line breaks, `;` or `|`. */
export const partsOf = (cell: string): string[] =>
  cell
    .split(separators)
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== ellipsis)

/** The longest text of a cell, as in a workbook. */
export const longestCell = 32_767
/** Stands in a cell for the values that don't fit into it. */
const ellipsis = '…'

/** Returns a cell of several values, as `partsOf` reads them. If not all fit into it, it has the first ones. */
export function joined(parts: readonly string[]): string {
  const whole = parts.join('; ')
  if (whole.length <= longestCell) return whole
  let length = 0
  const fitCount = parts.findIndex((part) => {
    length += part.length + 2
    return length > longestCell - ellipsis.length
  })
  return [...parts.slice(0, fitCount), ellipsis].join('; ')
}

/** Returns whether `partsOf` reads a text as one part. */
export const isOnePart = (text: string): boolean => {
  const [first, second] = partsOf(text)
  return second === undefined && first === text
}

/**
 * Returns the code of the option that a text names by its code or by its title in any language. A text that names no
 * option or several is returned as it is; a later check refuses it.
 */
export function optionOf(field: LocalizedField & { others?: readonly LocalizedField[] }, text: string): string {
  if (field.options.some(({ code }) => code === text)) return text
  const allOptions = [field, ...(field.others ?? [])].flatMap(({ options }) => options)
  const codesOf = (isName: (name: string) => boolean) => [
    ...new Set(allOptions.flatMap(({ code, title }) => (isName(title) || isName(code) ? [code] : []))),
  ]
  const exact = codesOf((name) => name === text)
  const codes = exact.length > 0 ? exact : codesOf((name) => folded(name) === folded(text))
  return codes.length === 1 ? (codes[0] ?? text) : text
}

/** Returns the title of an option, or its code where the title could be read as another option or as several. */
function optionText(field: TableField, code: string): string {
  const title = field.options.find((option) => option.code === code)?.title.trim()
  return title && optionOf(field, title) === code && (!field.multiple || isOnePart(title)) ? title : code
}

/** Returns a stored value as the cell of a table. */
export function fieldCell(field: TableField, value: unknown): Exclude<ExportCell, Date> {
  const parts = shownParts(field, value)
  const [first] = parts
  if (parts.length === 1 && first?.as === 'date') return { day: first.text }
  if (isChosen(field) && typeof value !== 'boolean') {
    const codes = [value].flat().filter((code) => typeof code === 'string' && code !== '')
    if (codes.length === parts.length) return joined(codes.map((code) => optionText(field, code as string))) || null
  }
  return parts.map((part) => (part.as === 'yesNo' ? field.yesNo(part.on) : part.text)).join(', ') || null
}

/** Returns a cell as a text, as readers of a table get it. */
export function textOfCell(cell: ExportCell): string {
  if (cell === null) return ''
  if (cell instanceof Date) return cell.toISOString()
  return typeof cell === 'object' ? cell.day : String(cell)
}

/**
 * Returns a text without what a file doesn't keep: control characters, kinds of line breaks, and spaces around the
 * text.
 */
const asInFile = (text: string) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a table may not hold
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g, '')
    .replace(/\r\n?/g, '\n')
    .trim()

/** Returns whether a cell is what an export in any of the languages writes for a stored value. */
export function isSameCell(field: TableField, cell: string, value: unknown): boolean {
  if (value === cell && !isChosen(field)) return true
  const cellText = asInFile(cell)
  const { others, ...ownField } = field
  return [ownField, ...others].some(
    (localized) => asInFile(textOfCell(fieldCell({ ...localized, others: [ownField, ...others] }, value))) === cellText,
  )
}
