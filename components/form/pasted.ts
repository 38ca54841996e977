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
 * Puts pasted values into rows: into the row `at` and into new rows after it. A row that has a value already is kept.
 * `max` is the largest number of rows.
 */
export function placePasted(
  held: readonly string[],
  at: number,
  values: readonly string[],
  max: number,
): { first: string | undefined; added: string[]; left: number; repeated: number } {
  const free = (held[at] ?? '').trim() === ''
  const room = Math.max(0, max - held.length)
  const [first, added] = free ? [values[0], values.slice(1)] : [undefined, [...values]]
  const kept = added.slice(0, room)
  const all = held.map((value, row) => (row === at && first !== undefined ? first : value.trim()))
  const seen = new Set(first === undefined ? all : all.toSpliced(at, 1))
  let repeated = 0
  for (const value of first === undefined ? kept : [first, ...kept]) {
    if (seen.has(value)) repeated++
    seen.add(value)
  }
  return { first, added: kept, left: added.length - kept.length, repeated }
}
