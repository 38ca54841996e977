import { strToU8, Zip, ZipDeflate } from 'fflate'

/** A cell of an exported list. `day` is a date without a time, as `2026-11-24`. */
export type ExportCell = string | number | Date | { day: string } | null

/** The most rows of a sheet, its head included; a longer list continues in the next sheet. */
const maxSheetRows = 1_048_576
/** The most characters of a cell. */
const maxTextLength = 32_767

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const mainNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const officeNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relationsNamespace = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** The styles by their index in `cellXfs`. With the style of a text a cell stays a text when somebody edits it. */
const style = { text: 1, head: 2, moment: 3, day: 4 } as const
const styles = `${declaration}<styleSheet xmlns="${mainNamespace}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/><xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`

/** Returns a text as the content of XML, without the signs that XML can't hold. */
const xml = (text: string) =>
  text
    .slice(0, maxTextLength)
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the signs that XML forbids
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/\r/g, '&#13;')
    // a spreadsheet reads _x0041_ as the character with this code
    .replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')

const textCell = (text: string, styleIndex: number) =>
  `<c s="${styleIndex}" t="inlineStr"><is><t xml:space="preserve">${xml(text)}</t></is></c>`

/** The first day that all spreadsheets count alike: some count 29 February 1900, and none knows days before 1900. */
const firstDay = '1900-03-01'

/** Returns the number of days since the beginning of 1900, as spreadsheets count them. */
const serialDays = (milliseconds: number) => milliseconds / 86_400_000 + 25_569

function cellOf(cell: ExportCell): string {
  if (cell === null || cell === '') return '<c/>'
  if (typeof cell === 'string') return textCell(cell, style.text)
  if (typeof cell === 'number') return Number.isFinite(cell) ? `<c><v>${cell}</v></c>` : '<c/>'
  if (cell instanceof Date) return `<c s="${style.moment}"><v>${serialDays(cell.getTime())}</v></c>`
  const day = Date.parse(`${cell.day}T00:00:00Z`)
  return Number.isNaN(day) || cell.day < firstDay
    ? textCell(cell.day, style.text)
    : `<c s="${style.day}"><v>${serialDays(day)}</v></c>`
}

const rowOf = (cells: string) => `<row>${cells}</row>`
const numbered = (count: number, part: (n: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index + 1)).join('')

const workbookParts = (sheets: number): Record<string, string> => ({
  'xl/workbook.xml': `${declaration}<workbook xmlns="${mainNamespace}" xmlns:r="${officeNamespace}"><sheets>${numbered(sheets, (n) => `<sheet name="${n}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${declaration}<Relationships xmlns="${relationsNamespace}">${numbered(sheets, (n) => `<Relationship Id="rId${n}" Type="${officeNamespace}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="rId${sheets + 1}" Type="${officeNamespace}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': styles,
  '_rels/.rels': `${declaration}<Relationships xmlns="${relationsNamespace}"><Relationship Id="rId1" Type="${officeNamespace}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>${numbered(sheets, (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`)}</Types>`,
})

/**
 * Yields a workbook chunk by chunk while its pages of rows arrive: a chunk for each page, without keeping earlier pages
 * in memory (docs/rules/rest.md#exports). A text is never a formula. Moments are written in UTC.
 */
export async function* xlsxOf(
  heads: readonly string[],
  pages: AsyncIterable<readonly (readonly ExportCell[])[]>,
  rowLimit = maxSheetRows,
): AsyncGenerator<Uint8Array> {
  let zipped: Uint8Array[] = []
  let fault: Error | null = null
  const zip = new Zip((error, chunk) => {
    fault ??= error
    zipped.push(chunk)
  })
  const takeZipped = () => {
    if (fault) throw fault
    const chunks = Buffer.concat(zipped)
    zipped = []
    return chunks
  }
  const beginEntry = (name: string) => {
    const entry = new ZipDeflate(name, { level: 6 })
    zip.add(entry)
    return entry
  }
  let sheets = 0
  let rows = rowLimit
  let sheet: ZipDeflate | null = null
  const endSheet = () => sheet?.push(strToU8('</sheetData></worksheet>'), true)
  const beginSheet = () => {
    endSheet()
    sheets += 1
    rows = 1
    const entry = beginEntry(`xl/worksheets/sheet${sheets}.xml`)
    const head = rowOf(heads.map((text) => textCell(text, style.head)).join(''))
    entry.push(
      strToU8(
        `${declaration}<worksheet xmlns="${mainNamespace}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>${head}`,
      ),
    )
    return entry
  }
  sheet = beginSheet()
  for await (const page of pages) {
    for (let start = 0; start < page.length; ) {
      if (rows >= rowLimit) sheet = beginSheet()
      const sheetPage = page.slice(start, start + rowLimit - rows)
      sheet.push(strToU8(sheetPage.map((cells) => rowOf(cells.map(cellOf).join(''))).join('')))
      rows += sheetPage.length
      start += sheetPage.length
    }
    const chunk = takeZipped()
    if (chunk.length > 0) yield chunk
  }
  endSheet()
  for (const [name, content] of Object.entries(workbookParts(sheets))) beginEntry(name).push(strToU8(content), true)
  zip.end()
  yield takeZipped()
}
