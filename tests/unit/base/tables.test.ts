import { unzipSync, zipSync } from 'fflate'
import Papa from 'papaparse'
import { describe, expect, test, vi } from 'vitest'
import { exportFile } from '@/lib/base/export/export'
import { xlsxOf } from '@/lib/base/export/xlsx'
import { csvBeginning, csvOf } from '@/lib/base/tables/csv'
import { tableLimits } from '@/lib/base/tables/rows'
import { readTable } from '@/lib/base/tables/table'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { bloated, inline, row, workbook } from '../../factories/workbook'

const bytes = (text: string) => new TextEncoder().encode(text)
/** Windows-1251, as Russian spreadsheets write CSV. */
const in1251 = (text: string) =>
  Uint8Array.from(
    [...text].map((sign) => (sign >= 'А' && sign <= 'я' ? sign.charCodeAt(0) - 0x350 : sign.charCodeAt(0))),
  )
const cellsOf = async (file: Uint8Array) => {
  const { head, rows } = await readTable(file)
  return [head, ...rows.map(({ cells }) => cells)]
}
const faultOf = (file: Uint8Array) =>
  readTable(file).then(
    () => 'none',
    (fault) => fault.code,
  )

/** How often others get their turn while something is done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  const take = () => {
    turns++
    next = setImmediate(take)
  }
  let next = setImmediate(take)
  await work().finally(() => clearImmediate(next))
  return turns
}

describe('a table from CSV', () => {
  test.each([
    ['UTF-8 with a mark', bytes('\ufeffлогин;имя\na;Анна'), 'utf-8', ';'],
    ['windows-1251', in1251('логин;имя\r\na;Анна\r\n'), 'windows-1251', ';'],
    ['UTF-16', Uint8Array.from(Buffer.from('\ufeffлогин\tимя\na\tАнна', 'utf16le')), 'utf-16le', '\t'],
    ['commas', bytes('логин,имя\na,Анна'), 'utf-8', ','],
  ])('says how it was read: %s', async (_, file, encoding, separator) => {
    expect(await cellsOf(file)).toEqual([
      ['логин', 'имя'],
      ['a', 'Анна'],
    ])
    expect((await readTable(file)).source).toEqual({ kind: 'csv', encoding, separator })
  })

  test('keeps the numbers of rows, leaves out empty ones, and takes ragged ones', async () => {
    const { head, rows } = await readTable(bytes(';;\na;a;c\n\n1\n;;\n 2 ;"x\ny";3;4\n'))
    expect(head).toEqual(['a', 'a', 'c', ''])
    expect(rows).toEqual([
      { row: 4, cells: ['1', '', '', ''] },
      { row: 6, cells: ['2', 'x\ny', '3', '4'] },
    ])
  })

  test('reads back what exports write', async () => {
    const rows = [
      ['имя', 'телефон'],
      ['=1+1', '+79210000000'],
      ['a;"b"', '_x0041_'],
    ]
    const csv = bytes(csvBeginning + csvOf(rows))
    async function* pages() {
      yield rows.slice(1)
    }
    const parts: Buffer[] = []
    for await (const chunk of xlsxOf(rows[0] as string[], pages())) parts.push(Buffer.from(chunk as Uint8Array))
    expect(await cellsOf(csv)).toEqual(rows)
    expect(await cellsOf(Buffer.concat(parts))).toEqual(rows)
  })

  test('has the rows that a spreadsheet counts below a line that says the separator', async () => {
    const { source, head, rows } = await readTable(bytes('sep=,\r\na;x,b\r\n1,2'))
    expect(source).toMatchObject({ separator: ',' })
    expect([head, rows]).toEqual([['a;x', 'b'], [{ row: 2, cells: ['1', '2'] }]])
  })

  test('says which cells are broken: errors of spreadsheets, and bytes that are no text', async () => {
    const { rows } = await readTable(bytes("a;b\n#N/A;'#N/A\n#Н/Д;\ufffd\n"))
    expect(rows).toEqual([
      { row: 2, cells: ['#N/A', '#N/A'], broken: { 0: 'value' } },
      { row: 3, cells: ['#Н/Д', '\ufffd'], broken: { 0: 'value' } },
    ])
    const text = bytes('логин;имя\na;Анна_')
    const { rows: read } = await readTable(text.map((byte) => (byte === 0x5f ? 0xff : byte)))
    expect(read).toEqual([{ row: 2, cells: ['a', 'Анна\ufffd'], broken: { 1: 'text' } }])
  })

  test('keeps a byte order mark in a cell, which nobody would see', async () => {
    const mark = '\ufeff'
    const read = [await readTable(bytes(`${mark}login;b\n anna${mark} ; ${mark} `))]
    read.push(await readTable(workbook(row(inline('login'), inline('b')) + row(inline(`anna${mark}`), inline(mark)))))
    expect(read[0]?.head).toEqual(['login', 'b'])
    for (const { rows } of read) expect(rows[0]?.cells.map((cell) => cell.trim())).toEqual(['anna', ''])
    for (const { rows } of read) expect(rows[0]?.cells[0]).toContain(mark)
  })

  test.each([
    ['', 'tableEmpty'],
    ['login', 'tableEmpty'],
    ['login\n"a', 'tableQuotes'],
    ['login\na\0b', 'tableFormat'],
    [Array(201).fill('x').join(';'), 'tableTooWide'],
    [`login\n${'a\n'.repeat(100_001)}`, 'tableTooMany'],
    // empty lines and cells that nobody sees, by the million
    ['\n'.repeat(20_000_000), 'tableTooMany'],
    [`${','.repeat(20_000_000)}x`, 'tableTooWide'],
    [`login\n"${'x\n'.repeat(3_000)};"${';'.repeat(1_000_000)}`, 'tableTooWide'],
    ['"a" "'.repeat(4_000_000), 'tableQuotes'],
    // a cell for each column in each row
    [`${Array(200).fill('x').join(';')}\n${'a\n'.repeat(99_999)}`, 'tableTooLong'],
  ])('is refused: %#', async (text, code) => {
    expect(await faultOf(bytes(text))).toBe(code)
  })

  test('as papaparse reads it, while others get their turn', async () => {
    const random = caseNumbers(20)
    const signs = ['"', '"', ';', ';', '\n', '\n', 'я', 'a', ' ', "'="]
    for (const _ of eachRound(500)) {
      const text = `x;y\n${Array.from({ length: random(40) }, () => signs[random(signs.length)]).join('')}`
      // only at the end of a file does it mind spaces after the last quote
      const { data, errors } = Papa.parse<string[]>(text.replace(/(?<=") +$/, ''), { delimiter: ';', newline: '\n' })
      const isFaulty = errors.some(({ type }) => type === 'Quotes')
      const full = data
        .map((cells, at) => ({ row: at + 1, cells: cells.map((cell) => cell.replace(/^'=/, '=').trim()) }))
        .filter(({ cells }) => cells.some(Boolean))
      const read = await readTable(bytes(text)).catch(({ code }) => code)
      if (isFaulty) expect(read, text).toBe('tableQuotes')
      else if (full.length < 2) expect(read, text).toBe('tableEmpty')
      else
        expect(
          read.rows.map(({ row, cells }: { row: number; cells: string[] }) => [
            row,
            cells.join(';').replace(/;+$/, ''),
          ]),
          text,
        ).toEqual(full.slice(1).map(({ row, cells }) => [row, cells.join(';').replace(/;+$/, '')]))
    }
    expect(await turnsDuring(() => readTable(bytes(`login\n${'\n'.repeat(1_000_000)}a`)))).toBeGreaterThan(900)
  })
})

const days = ['0001-01-01', '1899-12-31', '1900-01-01', '1900-02-28', '1900-03-01', '1981-04-01', '9999-12-31']

test.each(['csv', 'xlsx'] as const)('every day of an exported list comes back as it was: %s', async (format) => {
  const columns = [{ head: 'day', cell: (day: string) => ({ day }) }]
  const read = async () => ({ rows: days, after: null })
  const { chunks } = exportFile({ format, name: 'days', timeZone: 'UTC', columns, read })
  const parts: Buffer[] = []
  for await (const chunk of chunks) parts.push(Buffer.from(chunk as Uint8Array))
  expect(await cellsOf(Buffer.concat(parts))).toEqual([['day'], ...days.map((day) => [day])])
})

describe('a table from a workbook', () => {
  test('whose format is no format is read in one go', { timeout: 10_000 }, async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(200_000)}"/></numFmts></styleSheet>`
    const file = workbook(row(inline('login')) + row(inline('anna')), { 'xl/styles.xml': styles })
    expect(await cellsOf(file)).toEqual([['login'], ['anna']])
  })

  test('is the first visible sheet, with days, numbers and shared texts as people see them', async () => {
    const file = workbook(
      row('<c t="s"><v>0</v></c>', inline('день'), inline('число')) +
        `<row r="4"><c r="A4" t="str"><v>x</v></c><c r="B4" s="1"><v>31851</v></c><c r="C4"><v>7.9212041866E10</v></c><c r="E4" t="b"><v>1</v></c></row>` +
        `<row r="5"><c r="B5" s="2"><v>46350.5</v></c><c r="C5" t="e"><v>#N/A</v></c></row>`,
      {
        'xl/sharedStrings.xml': '<sst><si><r><t>Фа</t></r><r><t>милия</t></r><rPh><t>x</t></rPh></si></sst>',
        'xl/styles.xml':
          '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="[$-419]d mmm\\ yyyy;@"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>',
      },
    )
    expect(await readTable(file)).toEqual({
      source: { kind: 'xlsx', sheet: 1, sheets: ['Люди'] },
      head: ['Фамилия', 'день', 'число', '', ''],
      rows: [
        { row: 4, cells: ['x', '1987-03-15', '79212041866', '', 'true'] },
        { row: 5, cells: ['', '2026-11-24 12:00', '#N/A', '', ''], broken: { 2: 'value' } },
      ],
    })
  })

  const empty = ''
  const cover = row(inline('Отчёт'))
  const note = row(inline('Люди')) + row(inline('на 1 декабря'))
  const people = row(inline('login'), inline('email')) + row(inline('anna'), inline('a@b.example'))
  const list = row(inline('login')) + row(inline('anna'))
  /** A workbook with these sheets. */
  const book = (...sheets: string[]) =>
    workbook('', {
      'xl/workbook.xml': `<workbook xmlns:r="urn:r"><sheets>${sheets.map((_, at) => `<sheet name="${at + 1}" r:id="r${at}"/>`).join('')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships>${sheets.map((_, at) => `<Relationship Id="r${at}" Target="worksheets/${at}.xml"/>`).join('')}</Relationships>`,
      ...Object.fromEntries(
        sheets.map((rows, at) => [`xl/worksheets/${at}.xml`, `<worksheet><sheetData>${rows}</sheetData></worksheet>`]),
      ),
    })
  test.each([
    ['a title page and an empty sheet', [cover, empty, people, people], 3],
    ['a title page of two lines', [note, people], 2],
    ['a list of one column', [empty, list], 2],
    ['the first of two lists of one column', [list, cover, list], 1],
    ['a list before a sheet that can’t be read', [list, row('<c r="XFD1"><v>1</v></c>')], 1],
  ])('is the first sheet that has one: %s', async (_, sheets, sheet) => {
    const table = await readTable(book(...sheets))
    expect(table.source).toEqual({ kind: 'xlsx', sheet, sheets: sheets.map((_each, at) => String(at + 1)) })
    expect(table.head[0]).toBe('login')
  })

  test('is that of the sheet that was chosen, and none if no sheet has one', async () => {
    const file = book(cover, people, list)
    expect((await readTable(file, { sheet: 3 })).head).toEqual(['login'])
    await expect(readTable(file, { sheet: 1 })).rejects.toMatchObject({ code: 'tableEmpty' })
    await expect(readTable(file, { sheet: 4 })).rejects.toMatchObject({ code: 'tableSheet' })
    expect(await faultOf(book(cover, empty))).toBe('tableEmpty')
  })

  test('has no 29 February 1900, though spreadsheets count it', async () => {
    const styles = '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>'
    const cells = [59, 60, 60.5, 61].map((number) => `<c s="1"><v>${number}</v></c>`)
    const file = workbook(row(...'abcd'.split('').map((name) => inline(name))) + row(...cells), {
      'xl/styles.xml': styles,
    })
    expect((await readTable(file)).rows).toEqual([
      {
        row: 2,
        cells: ['1900-02-28', '1900-02-29', '1900-02-29', '1900-03-01'],
        broken: { 1: 'value', 2: 'value' },
      },
    ])
  })

  test('never expands entities that it declares', async () => {
    const lol = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>'
    const file = workbook(row(inline('login')) + row(inline('&a;&b;&#65;&amp;')), {})
    const hostile = workbook('', {
      'xl/worksheets/sheet2.xml': `${lol}<worksheet>${row(inline('login'))}${row(inline('&a;&b;'))}</worksheet>`,
    })
    expect(await cellsOf(file)).toEqual([['login'], ['&a;&b;A&']])
    expect(await cellsOf(hostile)).toEqual([['login'], ['&a;&b;']])
  })

  const rows = (count: number, cell: string) => row(inline('login')) + row(cell).repeat(count)
  const part = (name: string, element: string, times: number) =>
    workbook(row(inline('login')) + row(inline('a')), { [name]: `<x>${element.repeat(times)}</x>` })
  /** An archive that states smaller sizes than it has. */
  const lying = () => {
    const zip = workbook(rows(50, inline('y'.repeat(5_000)))).slice()
    for (let at = 0; at < zip.length - 4; at++)
      if (zip[at] === 0x50 && zip[at + 1] === 0x4b && zip[at + 2] === 1) zip.fill(1, at + 24, at + 25)
    return zip
  }

  // most of the large ones have nothing that somebody sees: each unpacks to a thousand times its size
  test.each<[string, () => Uint8Array, unknown]>([
    ['that is long when it is unpacked', bloated, 'tableTooLong'],
    ['of too many rows', () => workbook(rows(100_001, '<c><v>1</v></c>')), 'tableTooMany'],
    ['with a cell in the last column', () => workbook(row('<c r="XFD1"><v>1</v></c>')), 'tableTooWide'],
    [
      'of elements in elements',
      () => workbook(row(inline('a')) + '<x>'.repeat(100_000)),
      expect.stringMatching(/^table/),
    ],
    ['that is broken off', () => workbook('').slice(0, 300), 'tableFormat'],
    ['without a workbook', () => zipSync({ 'a.txt': bytes('x') }), 'tableFormat'],
    ['of too many empty rows', () => workbook('<row/>'.repeat(1_100_000)), 'tableTooMany'],
    ['of too many empty cells', () => workbook(row('<c/>'.repeat(1_001))), 'tableTooWide'],
    [
      'of rows with a cell far to the right',
      () => workbook(row(inline('login')) + row('<c r="ALL1"/>').repeat(400_000)),
      'tableEmpty',
    ],
    [
      'of too many formats',
      () => part('xl/styles.xml', '<cellXfs><xf numFmtId="14"/></cellXfs>', 400_000),
      'tableFormat',
    ],
    ['of too many sheets', () => part('xl/workbook.xml', '<sheet name="a"/>', 1_001), 'tableFormat'],
    ['of rows with nothing before their last column', () => workbook(rows(99_999, inline('a', 'GR1'))), 'tableTooLong'],
    ['of a comment', () => workbook(`<!--${'x'.repeat(20_000_000)}-->${rows(1, inline('a'))}`), 'tableTooLong'],
    ['of a name', () => workbook(`<x ${'x'.repeat(20_000_000)}/>${rows(1, inline('a'))}`), 'tableTooLong'],
    ['of too many shared texts', () => part('xl/sharedStrings.xml', '<si/>', 5_000_001), 'tableTooLong'],
    ['whose sizes are stated too small', lying, 'tableFormat'],
  ])('a bomb %s is refused', async (_, file, fault) => {
    expect(await faultOf(file())).toEqual(fault)
  })

  test('a text to which many cells refer is looked through once', async () => {
    const shared = `<sst><si>${`<t>${' '.repeat(500_000)}</t><x/>`.repeat(4)}</si><si><t>anna</t></si></sst>`
    const cells = `${'<c t="s"><v>0</v></c>'.repeat(50)}<c t="s"><v>1</v></c>`
    const file = workbook(row(cells.replaceAll('<v>0</v>', '<v>1</v>')) + row(cells), {
      'xl/sharedStrings.xml': shared,
    })
    let looked = 0
    const { trim } = String.prototype
    const spy = vi.spyOn(String.prototype, 'trim').mockImplementation(function (this: string) {
      looked += this.length
      return trim.call(this)
    })
    const table = await readTable(file).finally(() => spy.mockRestore())
    expect(table.rows[0]?.cells.at(-1)).toBe('anna')
    expect(looked).toBeLessThan(2 * 4 * 500_000)
  })

  test('of an archive that isn’t compressed is read while others get their turn', async () => {
    const files = Object.fromEntries(
      Object.entries(unzipSync(workbook(row(inline('login')) + row(inline('anna')) + '<row/>'.repeat(400_000)))),
    )
    expect(await turnsDuring(() => readTable(zipSync(files, { level: 0 })))).toBeGreaterThan(25)
  })

  test('a bomb of too many elements is refused', async () => {
    const { cells } = tableLimits
    const file = () => workbook(row(inline('login')) + row(inline('a')) + '<x/>'.repeat(4_000))
    tableLimits.cells = 1_100
    expect(await faultOf(file())).toBe('none')
    tableLimits.cells = 1_000
    expect(await faultOf(file()).finally(() => (tableLimits.cells = cells))).toBe('tableTooLong')
  })
})
