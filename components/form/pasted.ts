/**
 * Splits pasted text at line breaks, commas, semicolons and blanks, for a field whose values have no spaces. Returns
 * the values in their order, without empty ones.
 */
export const splitPasted = (text: string): string[] => text.split(/[\s,;\u200b\ufeff]+/u).filter((part) => part !== '')

/** Splits pasted text at line breaks, for values with spaces. Returns the lines in their order, without empty ones. */
export const splitLines = (text: string): string[] =>
  text
    .split(/[\r\n]+/u)
    .map((line) => line.replace(/[\s\u200b\ufeff]+/gu, ' ').trim())
    .filter((line) => line !== '')

/**
 * Puts pasted values into rows: into the row with the index `rowIndex` and into new rows after it. A row that has a value
 * keeps it. `max` is the largest number of rows.
 */
export function placePasted(
  column: readonly string[],
  rowIndex: number,
  values: readonly string[],
  max: number,
): { first: string | undefined; added: string[]; left: number; repeated: number } {
  const free = (column[rowIndex] ?? '').trim() === ''
  const room = Math.max(0, max - column.length)
  const [first, added] = free ? [values[0], values.slice(1)] : [undefined, [...values]]
  const fitting = added.slice(0, room)
  const merged = column.map((value, index) => (index === rowIndex && first !== undefined ? first : value.trim()))
  const seenValues = new Set(first === undefined ? merged : merged.toSpliced(rowIndex, 1))
  let repeated = 0
  for (const value of first === undefined ? fitting : [first, ...fitting]) {
    if (seenValues.has(value)) repeated++
    seenValues.add(value)
  }
  return { first, added: fitting, left: added.length - fitting.length, repeated }
}
