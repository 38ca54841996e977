type Attributes = Record<string, string>

/** Whether the built-in format with this number shows a day or a time (ECMA-376, 18.8.30). */
const isShippedDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** The longest format that spreadsheets write. */
const maxFormatLength = 255

/** Whether a format shows a day or a time, by its letters outside of texts, colors and conditions. */
const isDateFormat = (code: string) =>
  /[dmyhs]/i.test(
    code
      .slice(0, maxFormatLength)
      .replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
      .replace(/general/gi, ''),
  )

/** Returns handlers for the parser of a workbook's styles, and the numbers of those styles that show days. */
export function dateStyles() {
  const formats = new Map<number, boolean>()
  const dateStyleIds = new Set<number>()
  let inCells = false
  let styleIndex = 0
  return {
    found: dateStyleIds,
    open: (name: string, { numFmtId = '0', formatCode = '' }: Attributes) => {
      if (name === 'numFmt') formats.set(Number(numFmtId), isDateFormat(formatCode))
      if (name === 'cellXfs') inCells = true
      if (name !== 'xf' || !inCells) return
      const id = Number(numFmtId)
      if (formats.get(id) ?? isShippedDate(id)) dateStyleIds.add(styleIndex)
      styleIndex++
    },
    close: (name: string) => {
      if (name === 'cellXfs') inCells = false
    },
  }
}

const day = 86_400_000

/** The day that spreadsheets count although it doesn't exist: they take 1900 for a leap year. */
const fictitiousDay = { number: 60, text: '1900-02-29' }

const daysOf = (number: number, from1904: boolean) => (from1904 ? number + 1_462 : number)

/** Whether this number is the day that doesn't exist. */
export const isFictitiousDay = (number: number, from1904: boolean) =>
  Math.floor(daysOf(number, from1904)) === fictitiousDay.number

/** Returns the day of a spreadsheet's number, and the time if it has one: 2026-11-24, 2026-11-24 12:30. */
export function dateOf(number: number, from1904: boolean): string {
  const days = daysOf(number, from1904)
  if (days < 1 || days >= 2_958_466) return String(number)
  if (isFictitiousDay(number, from1904)) return fictitiousDay.text
  const moment = new Date(Math.round((days - (days < fictitiousDay.number ? 25_568 : 25_569)) * day))
  const text = moment.toISOString()
  return text.slice(11, 19) === '00:00:00' ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ')
}
