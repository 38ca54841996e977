import { setImmediate } from 'node:timers/promises'
import { Parser } from 'htmlparser2'
import { trimmed } from '../text/characters'
import {
  type BrokenCell,
  createRows,
  requireFileLimits,
  TableFault,
  type TableRow,
  type TableSource,
  tableLimits,
} from './rows'
import { dateOf, dateStyles, isFictitiousDay } from './workbook-dates'
import { openZip } from './zip'

type Archive = Awaited<ReturnType<typeof openZip>>
type Attributes = Record<string, string>
type Handlers = {
  open: (name: string, attributes: Attributes) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

/**
 * The most bytes of each part that describes a workbook, the most sheets and shared texts, and the most bytes between
 * two elements: the parser holds a whole comment in memory.
 */
const workbookLimits = { described: 10 * 1024 ** 2, sheets: 1_000, texts: 5_000_000, between: 1024 ** 2 }

/** The most elements of a part for each cell that a table may have. */
const maxElementsPerCell = 4

/** The deepest nesting of elements in a workbook’s files; real ones nest about ten deep. */
const maxDepth = 50

/** Returns a name without its namespace prefix, which some programs write. */
const localNameOf = (name: string) => name.slice(name.indexOf(':') + 1)

/** Parses a file of the archive chunk by chunk. Entities that it declares are never expanded. */
async function parse(
  archive: Archive,
  file: string,
  { open, text, close }: Handlers,
  byteLimit = Number.POSITIVE_INFINITY,
) {
  let [depth, count, bytesSinceElement] = [0, 0, 0]
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        // the parser keeps open elements in a list that gets slow
        if (++depth > maxDepth) throw new TableFault('tableFormat')
        if (++count > maxElementsPerCell * tableLimits.cells) throw new TableFault('tableTooLong')
        bytesSinceElement = 0
        open(localNameOf(name), attributes)
      },
      ontext: (part) => text?.(part),
      onclosetag: (name) => {
        depth--
        bytesSinceElement = 0
        close?.(localNameOf(name))
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of archive.chunks(file, byteLimit)) {
    bytesSinceElement += chunk.byteLength
    parser.write(decoder.decode(chunk, { stream: true }))
    if (bytesSinceElement > workbookLimits.between) throw new TableFault('tableTooLong')
    await setImmediate()
  }
  parser.end(decoder.decode())
}

/** Returns the visible sheets with their files, and whether days are counted from 1904. */
async function sheetsOf(archive: Archive) {
  const sheets: { name: string; link: string; visible: boolean }[] = []
  const targets = new Map<string, string>()
  let from1904 = false
  await parse(
    archive,
    'xl/workbook.xml',
    {
      open: (name, { name: title = '', state, date1904, ...otherAttributes }) => {
        if (name === 'workbookPr') from1904 = date1904 === '1' || date1904 === 'true'
        const link =
          Object.entries(otherAttributes).find(([key]) => localNameOf(key) === 'id' && key !== 'id')?.[1] ?? ''
        if (name === 'sheet') sheets.push({ name: title, link, visible: !state || state === 'visible' })
        if (sheets.length > workbookLimits.sheets) throw new TableFault('tableFormat')
      },
    },
    workbookLimits.described,
  )
  await parse(
    archive,
    'xl/_rels/workbook.xml.rels',
    {
      open: (name, { Id = '', Target = '' }) => {
        if (name === 'Relationship') targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`)
      },
    },
    workbookLimits.described,
  )
  const visibleSheets = sheets.filter(({ visible }) => visible)
  if (visibleSheets.length === 0) throw new TableFault('tableFormat')
  return { sheets: visibleSheets.map(({ name, link }) => ({ name, file: targets.get(link) ?? '' })), from1904 }
}

/** Returns the texts that cells refer to by number, trimmed once, because many cells may refer to one. */
async function sharedTexts(archive: Archive): Promise<string[]> {
  const texts: string[] = []
  let itemText = ''
  let inText = false
  // a phonetic reading isn't part of the text
  let inPhonetic = false
  let characters = 0
  await parse(archive, 'xl/sharedStrings.xml', {
    open: (name) => {
      if (name === 'si') itemText = ''
      if (name === 'rPh') inPhonetic = true
      inText = name === 't' && !inPhonetic
    },
    text: (part) => {
      if (!inText) return
      characters += part.length
      if (characters > tableLimits.characters) throw new TableFault('tableTooLong')
      itemText += part
    },
    close: (name) => {
      if (name === 'rPh') inPhonetic = false
      if (name === 't') inText = false
      if (name === 'si' && texts.push(trimmed(unescaped(itemText))) > workbookLimits.texts)
        throw new TableFault('tableTooLong')
    },
  })
  return texts
}

/** Returns the number of a column from an address such as `AB12`; -1 for none. */
function columnOf(address: string): number {
  const letters = /^[A-Z]{1,3}/.exec(address)?.[0] ?? ''
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

/** Returns a text with its coded characters decoded: XML can't hold some, so they are written as `_x0041_`. */
const unescaped = (text: string) =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

type SharedParts = { texts: string[]; dates: ReadonlySet<number>; from1904: boolean }

/** The text of a formula without a result. */
const uncalculated = '#CALC!'

type Cell = { column: number; type: string; style: number; value: string; hasValue: boolean; isFormula: boolean }

/** Whether a cell that isn't empty has no value. */
const isBroken = (
  { type, style, value, hasValue, isFormula }: Cell,
  { texts, dates, from1904 }: SharedParts,
): boolean =>
  type === 'e' ||
  (type === 'n' && dates.has(style) && isFictitiousDay(Number(value), from1904)) ||
  // some programs write an empty value with a formula; only a text result can be empty
  (isFormula && (!hasValue || (value === '' && type !== 'str'))) ||
  (type === 's' && hasValue && texts[Number(value)] === undefined)

/** Returns the text that people see in a cell, without its formatting: days as 2026-11-24, numbers without grouping. */
function displayedText({ type, value, style }: Cell, { texts, dates, from1904 }: SharedParts): string {
  if (type === 's') return texts[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'true' : 'false'
  if (type === 'str' || type === 'inlineStr' || type === 'd') return unescaped(value)
  if (type === 'e' || value.trim() === '') return value
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  if (dates.has(style)) return dateOf(number, from1904)
  // spreadsheets show 15 digits; the rest is what binary numbers can't hold
  return String(Number(number.toPrecision(15)))
}

async function readSheet(archive: Archive, file: string, sharedParts: SharedParts) {
  const rows = createRows()
  let lines = 0
  let row = 0
  let cells: string[] = []
  let broken: Record<number, BrokenCell> = {}
  const emptyCell = { type: 'n', style: 0, value: '', hasValue: false, isFormula: false }
  let cell: Cell = { column: -1, ...emptyCell }
  let inValue = false
  await parse(archive, file, {
    open: (name, { r = '', t = 'n', s = '0' }) => {
      if (name === 'row') {
        requireFileLimits(lines++, 0)
        row = /^\d{1,7}$/.test(r) ? Number(r) : row + 1
        cells = []
        broken = {}
        cell.column = -1
      } else if (name === 'c') {
        const column = columnOf(r)
        cell = { ...emptyCell, column: column >= 0 ? column : cell.column + 1, type: t, style: Number(s) }
        requireFileLimits(lines - 1, cell.column)
      } else {
        if (name === 'f') cell.isFormula = true
        inValue = name === 'v' || (name === 't' && cell.type === 'inlineStr')
        if (inValue) cell.hasValue = true
      }
    },
    text: (part) => {
      if (!inValue) return
      cell.value += part
      if (cell.value.length > tableLimits.characters) throw new TableFault('tableTooLong')
    },
    close: (name) => {
      if (name === 'v' || name === 't') inValue = false
      const isWrong = name === 'c' && isBroken(cell, sharedParts)
      const text = name === 'c' ? displayedText(cell, sharedParts) || (isWrong ? uncalculated : '') : ''
      // empty cells don't make a row longer: a small file can have millions of them far to the right
      if (text.trim()) {
        while (cells.length < cell.column) cells.push('')
        cells[cell.column] = text
        if (isWrong) broken[cell.column] = 'value'
      }
      if (name === 'row') rows.add(row, cells, broken)
    },
  })
  return rows.end()
}

type Sheet = { name: string; file: string }

/**
 * Reads the first sheet with a table of more than one column, because a title page or a note may come before it. If
 * there is none, returns the first table of one column.
 */
async function readFirst(archive: Archive, sheets: readonly Sheet[], sharedParts: SharedParts) {
  let list: ({ sheet: number } & Awaited<ReturnType<typeof readSheet>>) | null = null
  const readFiles = new Set<string>()
  for (const [index, { file }] of sheets.entries()) {
    // several sheets may name the same file
    if (readFiles.has(file) || !archive.has(file)) continue
    readFiles.add(file)
    try {
      const table = { sheet: index + 1, ...(await readSheet(archive, file, sharedParts)) }
      if (table.head.length > 1) return table
      list ??= table
    } catch (error) {
      if (list) break
      if (!(error instanceof TableFault) || error.code !== 'tableEmpty') throw error
    }
  }
  if (!list) throw new TableFault(readFiles.size > 0 ? 'tableEmpty' : 'tableFormat')
  return list
}

async function readChosen(archive: Archive, sheets: readonly Sheet[], sheet: number, sharedParts: SharedParts) {
  const chosenSheet = sheets[sheet - 1]
  if (!chosenSheet) throw new TableFault('tableSheet')
  if (!archive.has(chosenSheet.file)) throw new TableFault('tableFormat')
  return { sheet, ...(await readSheet(archive, chosenSheet.file, sharedParts)) }
}

/**
 * Reads a sheet of a workbook (xlsx): the visible sheet with the number `sheetNumber`, or without one the first visible
 * sheet that has a table. Throws TableFault for a file that isn't a workbook, and for one that exceeds the limits
 * before or after it is unpacked.
 */
export async function readWorkbook(
  bytes: Uint8Array,
  sheetNumber?: number,
): Promise<{ source: TableSource; head: string[]; rows: TableRow[] }> {
  try {
    const archive = await openZip(bytes)
    const { sheets, from1904 } = await sheetsOf(archive)
    const sharedParts = { texts: await sharedTexts(archive), dates: await stylesOf(archive), from1904 }
    const reading = sheetNumber
      ? readChosen(archive, sheets, sheetNumber, sharedParts)
      : readFirst(archive, sheets, sharedParts)
    const { sheet, ...table } = await reading
    return { source: { kind: 'xlsx', sheet, sheets: sheets.map(({ name }) => name) }, ...table }
  } catch (error) {
    if (error instanceof TableFault) throw error
    // a broken or hostile archive: its exact fault would help nobody
    throw new TableFault('tableFormat')
  }
}

async function stylesOf(archive: Archive) {
  const styles = dateStyles()
  await parse(archive, 'xl/styles.xml', styles, workbookLimits.described)
  return styles.found
}
