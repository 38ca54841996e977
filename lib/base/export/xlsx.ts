import { strToU8, Zip, ZipDeflate } from 'fflate'

/** A cell of an exported list. `day` is a date without a time, as `2026-11-24`. */
export type ExportCell = string | number | Date | { day: string } | null

/** Rows of a sheet, the heads included; a longer list goes on in the next sheet. */
const sheetRows = 1_048_576
/** The longest text that a cell may hold. */
const longestText = 32_767

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** Styles by their place in `cellXfs`. A text stays a text also when somebody edits its cell. */
const style = { text: 1, head: 2, moment: 3, day: 4 } as const
const styles = `${declaration}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/><xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`

/** Returns a text as the content of XML, without the signs that XML can't hold. */
const xml = (text: string) =>
  text
    .slice(0, longestText)
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the signs that XML forbids
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/\r/g, '&#13;')
    // a spreadsheet reads _x0041_ as the sign with this number
    .replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')

const textCell = (text: string, of: number) =>
  `<c s="${of}" t="inlineStr"><is><t xml:space="preserve">${xml(text)}</t></is></c>`

/** Spreadsheets know no earlier days, and none that all of them count alike: they believe in 29 February 1900. */
const firstDay = '1900-03-01'

/** Days since the beginning of 1900, as spreadsheets count them. */
const serial = (milliseconds: number) => milliseconds / 86_400_000 + 25_569

function cellOf(cell: ExportCell): string {
  if (cell === null || cell === '') return '<c/>'
  if (typeof cell === 'string') return textCell(cell, style.text)
  if (typeof cell === 'number') return Number.isFinite(cell) ? `<c><v>${cell}</v></c>` : '<c/>'
  if (cell instanceof Date) return `<c s="${style.moment}"><v>${serial(cell.getTime())}</v></c>`
  const day = Date.parse(`${cell.day}T00:00:00Z`)
  return Number.isNaN(day) || cell.day < firstDay
    ? textCell(cell.day, style.text)
    : `<c s="${style.day}"><v>${serial(day)}</v></c>`
}

const rowOf = (cells: string) => `<row>${cells}</row>`
const numbered = (count: number, part: (n: number) => string) =>
  Array.from({ length: count }, (_, at) => part(at + 1)).join('')

const parts = (sheets: number): Record<string, string> => ({
  'xl/workbook.xml': `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${numbered(sheets, (n) => `<sheet name="${n}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${declaration}<Relationships xmlns="${relations}">${numbered(sheets, (n) => `<Relationship Id="rId${n}" Type="${office}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="rId${sheets + 1}" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': styles,
  '_rels/.rels': `${declaration}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>${numbered(sheets, (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`)}</Types>`,
})

/**
 * Yields a workbook chunk by chunk, as its pages of rows come: a chunk for each page, and nothing of earlier pages is
 * kept (docs/rules/rest.md#exports). Texts never are formulas. Moments are written as they read in UTC.
 */
export async function* xlsxOf(
  heads: readonly string[],
  pages: AsyncIterable<readonly (readonly ExportCell[])[]>,
  mostRows = sheetRows,
): AsyncGenerator<Uint8Array> {
  let made: Uint8Array[] = []
  let fault: Error | null = null
  const zip = new Zip((error, chunk) => {
    fault ??= error
    made.push(chunk)
  })
  const taken = () => {
    if (fault) throw fault
    const chunks = Buffer.concat(made)
    made = []
    return chunks
  }
  const begun = (name: string) => {
    const entry = new ZipDeflate(name, { level: 6 })
    zip.add(entry)
    return entry
  }
  let sheets = 0
  let rows = mostRows
  let sheet: ZipDeflate | null = null
  const endSheet = () => sheet?.push(strToU8('</sheetData></worksheet>'), true)
  const next = () => {
    endSheet()
    sheets += 1
    rows = 1
    const entry = begun(`xl/worksheets/sheet${sheets}.xml`)
    const head = rowOf(heads.map((text) => textCell(text, style.head)).join(''))
    entry.push(
      strToU8(
        `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>${head}`,
      ),
    )
    return entry
  }
  sheet = next()
  for await (const page of pages) {
    for (let at = 0; at < page.length; ) {
      if (rows >= mostRows) sheet = next()
      const fits = page.slice(at, at + mostRows - rows)
      sheet.push(strToU8(fits.map((cells) => rowOf(cells.map(cellOf).join(''))).join('')))
      rows += fits.length
      at += fits.length
    }
    const chunk = taken()
    if (chunk.length > 0) yield chunk
  }
  endSheet()
  for (const [name, content] of Object.entries(parts(sheets))) begun(name).push(strToU8(content), true)
  zip.end()
  yield taken()
}
