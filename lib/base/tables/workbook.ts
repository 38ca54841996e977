import { setImmediate } from 'node:timers/promises'
import { Parser } from 'htmlparser2'
import { trimmed } from '../text/characters'
import {
  type Broken,
  createRows,
  requireWithin,
  TableFault,
  type TableRow,
  type TableSource,
  tableLimits,
} from './rows'
import { dateOf, dateStyles, isNoDay } from './workbook-dates'
import { openZip } from './zip'

type Archive = Awaited<ReturnType<typeof openZip>>
type Attributes = Record<string, string>
type Handlers = {
  open: (name: string, attributes: Attributes) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

/**
 * How many bytes the parts of a workbook may have that describe it, how many sheets and shared texts it may have, and how
 * many characters what stands between two elements: the parser keeps a comment as a whole.
 */
const most = { described: 10 * 1024 ** 2, sheets: 1_000, texts: 5_000_000, between: 1024 ** 2 }

/** How many elements a part may have for each cell that a table may have. */
const elementsOfCell = 4

/** How deep the elements of a workbook’s files are nested at most; those of real ones are by ten. */
const deepest = 50

/** Names are told apart without their namespace: some programs write a prefix. */
const bare = (name: string) => name.slice(name.indexOf(':') + 1)

/** Parses a file of the archive part by part. Entities that it declares are never expanded. */
async function parse(
  archive: Archive,
  file: string,
  { open, text, close }: Handlers,
  atMost = Number.POSITIVE_INFINITY,
) {
  let [depth, count, since] = [0, 0, 0]
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        // the parser keeps what is open in a list that gets slow
        if (++depth > deepest) throw new TableFault('tableFormat')
        if (++count > elementsOfCell * tableLimits.cells) throw new TableFault('tableTooLong')
        since = 0
        open(bare(name), attributes)
      },
      ontext: (part) => text?.(part),
      onclosetag: (name) => {
        depth--
        since = 0
        close?.(bare(name))
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of archive.chunks(file, atMost)) {
    since += chunk.byteLength
    parser.write(decoder.decode(chunk, { stream: true }))
    if (since > most.between) throw new TableFault('tableTooLong')
    await setImmediate()
  }
  parser.end(decoder.decode())
}

/** Returns the sheets that people see, with their files, and whether days are counted from 1904. */
async function sheetsOf(archive: Archive) {
  const sheets: { name: string; link: string; visible: boolean }[] = []
  const targets = new Map<string, string>()
  let from1904 = false
  await parse(
    archive,
    'xl/workbook.xml',
    {
      open: (name, { name: title = '', state, date1904, ...rest }) => {
        if (name === 'workbookPr') from1904 = date1904 === '1' || date1904 === 'true'
        const link = Object.entries(rest).find(([key]) => bare(key) === 'id' && key !== 'id')?.[1] ?? ''
        if (name === 'sheet') sheets.push({ name: title, link, visible: !state || state === 'visible' })
        if (sheets.length > most.sheets) throw new TableFault('tableFormat')
      },
    },
    most.described,
  )
  await parse(
    archive,
    'xl/_rels/workbook.xml.rels',
    {
      open: (name, { Id = '', Target = '' }) => {
        if (name === 'Relationship') targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`)
      },
    },
    most.described,
  )
  const shown = sheets.filter(({ visible }) => visible)
  if (shown.length === 0) throw new TableFault('tableFormat')
  return { sheets: shown.map(({ name, link }) => ({ name, file: targets.get(link) ?? '' })), from1904 }
}

/** Returns the texts that cells refer to by number, without spaces around them: many cells may refer to one. */
async function sharedTexts(archive: Archive): Promise<string[]> {
  const texts: string[] = []
  let own = ''
  let inText = false
  // what is read aloud for a text isn't part of it
  let aloud = false
  let characters = 0
  await parse(archive, 'xl/sharedStrings.xml', {
    open: (name) => {
      if (name === 'si') own = ''
      if (name === 'rPh') aloud = true
      inText = name === 't' && !aloud
    },
    text: (part) => {
      if (!inText) return
      characters += part.length
      if (characters > tableLimits.characters) throw new TableFault('tableTooLong')
      own += part
    },
    close: (name) => {
      if (name === 'rPh') aloud = false
      if (name === 't') inText = false
      if (name === 'si' && texts.push(trimmed(plain(own))) > most.texts) throw new TableFault('tableTooLong')
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

/** Signs that XML can't hold are written by their codes: `_x0041_`. */
const plain = (text: string) =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

type Known = { texts: string[]; dates: ReadonlySet<number>; from1904: boolean }

/** What a formula shows that has no result. */
const uncalculated = '#CALC!'

type Cell = { column: number; type: string; style: number; value: string; hasValue: boolean; isFormula: boolean }

/** Whether a cell has no value, though it isn't empty. */
const isBroken = ({ type, style, value, hasValue, isFormula }: Cell, { texts, dates, from1904 }: Known): boolean =>
  type === 'e' ||
  (type === 'n' && dates.has(style) && isNoDay(Number(value), from1904)) ||
  // some programs write an empty value beside a formula; only a text can be empty
  (isFormula && (!hasValue || (value === '' && type !== 'str'))) ||
  (type === 's' && hasValue && texts[Number(value)] === undefined)

/** Returns what people see in a cell, as far as it is data: days as 2026-11-24, numbers without grouping. */
function shown({ type, value, style }: Cell, { texts, dates, from1904 }: Known): string {
  if (type === 's') return texts[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'true' : 'false'
  if (type === 'str' || type === 'inlineStr' || type === 'd') return plain(value)
  if (type === 'e' || value.trim() === '') return value
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  if (dates.has(style)) return dateOf(number, from1904)
  // spreadsheets show 15 digits; the rest is what binary numbers can't hold
  return String(Number(number.toPrecision(15)))
}

async function readSheet(archive: Archive, file: string, known: Known) {
  const rows = createRows()
  let lines = 0
  let row = 0
  let cells: string[] = []
  let broken: Record<number, Broken> = {}
  const none = { type: 'n', style: 0, value: '', hasValue: false, isFormula: false }
  let cell: Cell = { column: -1, ...none }
  let inValue = false
  await parse(archive, file, {
    open: (name, { r = '', t = 'n', s = '0' }) => {
      if (name === 'row') {
        requireWithin(lines++, 0)
        row = /^\d{1,7}$/.test(r) ? Number(r) : row + 1
        cells = []
        broken = {}
        cell.column = -1
      } else if (name === 'c') {
        const column = columnOf(r)
        cell = { ...none, column: column >= 0 ? column : cell.column + 1, type: t, style: Number(s) }
        requireWithin(lines - 1, cell.column)
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
      const isWrong = name === 'c' && isBroken(cell, known)
      const text = name === 'c' ? shown(cell, known) || (isWrong ? uncalculated : '') : ''
      // an empty cell makes no row longer: a small file can have millions of them far to the right
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
 * Reads the first sheet that has a table, that is more than one column: a title page or a note goes before it. If there
 * is none, a list of one column is taken.
 */
async function readFirst(archive: Archive, sheets: readonly Sheet[], known: Known) {
  let list: ({ sheet: number } & Awaited<ReturnType<typeof readSheet>>) | null = null
  const done = new Set<string>()
  for (const [at, { file }] of sheets.entries()) {
    // many sheets may lead to one file
    if (done.has(file) || !archive.has(file)) continue
    done.add(file)
    try {
      const read = { sheet: at + 1, ...(await readSheet(archive, file, known)) }
      if (read.head.length > 1) return read
      list ??= read
    } catch (error) {
      if (list) break
      if (!(error instanceof TableFault) || error.code !== 'tableEmpty') throw error
    }
  }
  if (!list) throw new TableFault(done.size > 0 ? 'tableEmpty' : 'tableFormat')
  return list
}

async function readChosen(archive: Archive, sheets: readonly Sheet[], sheet: number, known: Known) {
  const chosen = sheets[sheet - 1]
  if (!chosen) throw new TableFault('tableSheet')
  if (!archive.has(chosen.file)) throw new TableFault('tableFormat')
  return { sheet, ...(await readSheet(archive, chosen.file, known)) }
}

/**
 * Reads a sheet of a workbook (xlsx): the first one that people see and that has a table, or that with a number among
 * those that people see. Throws TableFault for what is no workbook, and for one that has or unpacks to more than the
 * limits.
 */
export async function readWorkbook(
  bytes: Uint8Array,
  chosen?: number,
): Promise<{ source: TableSource; head: string[]; rows: TableRow[] }> {
  try {
    const archive = await openZip(bytes)
    const { sheets, from1904 } = await sheetsOf(archive)
    const known = { texts: await sharedTexts(archive), dates: await stylesOf(archive), from1904 }
    const read = chosen ? readChosen(archive, sheets, chosen, known) : readFirst(archive, sheets, known)
    const { sheet, ...table } = await read
    return { source: { kind: 'xlsx', sheet, sheets: sheets.map(({ name }) => name) }, ...table }
  } catch (error) {
    if (error instanceof TableFault) throw error
    // a broken or hostile archive: what is wrong with it helps nobody
    throw new TableFault('tableFormat')
  }
}

async function stylesOf(archive: Archive) {
  const styles = dateStyles()
  await parse(archive, 'xl/styles.xml', styles, most.described)
  return styles.found
}
