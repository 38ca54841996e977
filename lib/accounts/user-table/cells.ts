import type { ExportCell } from '@/lib/base/export/xlsx'
import { searchForm } from '@/lib/base/lists/search-form'
import { type FieldView, isChosen, shownParts } from '@/lib/fields/values/definition'

/** A field in one language, with the words for yes and no in it. */
export type SpokenField = FieldView & { yesNo: (on: boolean) => string }
/** A field as a table has it: in the language of the reader, and in the others in which a file may be written. */
export type TableField = SpokenField & { others: SpokenField[] }

/** A text as searches compare it, in which spaces and what nobody sees make no difference either. */
export const folded = (text: string): string =>
  searchForm(text.replace(/\p{DI}/gu, ''))
    .replace(/\s+/g, ' ')
    .trim()

const between = /[;|\n]/

/** Returns the parts of a cell with several values, which stand on lines or with `;` or `|` between them. */
export const partsOf = (cell: string): string[] =>
  cell
    .split(between)
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== more)

/** The longest text of a cell, which is that of a workbook. */
export const longestCell = 32_767
/** Stands for what a cell is too short for. */
const more = '…'

/** Returns a cell of several values, as `partsOf` reads them. Of more than a cell holds it has the first ones. */
export function joined(parts: readonly string[]): string {
  const whole = parts.join('; ')
  if (whole.length <= longestCell) return whole
  let length = 0
  const fit = parts.findIndex((part) => {
    length += part.length + 2
    return length > longestCell - more.length
  })
  return [...parts.slice(0, fit), more].join('; ')
}

/** Whether a text stays what it is as one of several in a cell. */
export const isOnePart = (text: string): boolean => {
  const [one, second] = partsOf(text)
  return second === undefined && one === text
}

/**
 * Returns the code of an option that is named by its code or by its title, in any language. A title that several options
 * have is none of them; what names no option stays, and is refused later.
 */
export function optionOf(field: SpokenField & { others?: readonly SpokenField[] }, text: string): string {
  if (field.options.some(({ code }) => code === text)) return text
  const called = [field, ...(field.others ?? [])].flatMap(({ options }) => options)
  const found = (is: (name: string) => boolean) => [
    ...new Set(called.flatMap(({ code, title }) => (is(title) || is(code) ? [code] : []))),
  ]
  const exact = found((name) => name === text)
  const codes = exact.length > 0 ? exact : found((name) => folded(name) === folded(text))
  return codes.length === 1 ? (codes[0] ?? text) : text
}

/** Returns the title of an option, or its code where the title could be read as something else. */
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

/** A text without what a file doesn't keep: signs without a look, kinds of line ends, and spaces around it. */
const asInFile = (text: string) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a table may not hold
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g, '')
    .replace(/\r\n?/g, '\n')
    .trim()

/** Returns whether a cell has what is stored already, as an export in any of the languages writes it. */
export function isSameCell(field: TableField, cell: string, value: unknown): boolean {
  if (value === cell && !isChosen(field)) return true
  const given = asInFile(cell)
  const { others, ...own } = field
  return [own, ...others].some(
    (spoken) => asInFile(textOfCell(fieldCell({ ...spoken, others: [own, ...others] }, value))) === given,
  )
}
