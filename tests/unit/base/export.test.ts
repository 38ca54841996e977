import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { exportPath } from '@/components/export/address'
import { exportFile } from '@/lib/base/export/export'
import { type ExportCell, xlsxOf } from '@/lib/base/export/xlsx'

async function* pagesOf(...pages: ExportCell[][][]) {
  yield* pages
}
const filesOf = async (chunks: AsyncIterable<Uint8Array | string>) => {
  const parts: Buffer[] = []
  for await (const chunk of chunks) parts.push(Buffer.from(chunk as Uint8Array))
  const files = unzipSync(Buffer.concat(parts))
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]))
}
const plain = (text: string) =>
  text
    .replace(/&#13;/g, '\r')
    .replace(/&quot;/g, '"')
    .replace(/&gt;/g, '>')
    .replace(/&lt;/g, '<')
    .replace(/&amp;/g, '&')
    .replace(/_x005F_/g, '_')
const textsOf = (sheet: string | undefined) =>
  [...(sheet ?? '').matchAll(/<t xml:space="preserve">([^<]*)<\/t>/g)].map(([, text = '']) => plain(text))

const hostile = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '</t></is></c><c><f>1</f>', '&amp;', '_x0041_']

describe('a workbook', () => {
  test('holds every text as a text, and no formula', async () => {
    const files = await filesOf(xlsxOf(['=head'], pagesOf(hostile.map((cell) => [cell]))))
    const sheet = files['xl/worksheets/sheet1.xml']
    expect(textsOf(sheet)).toEqual(['=head', ...hostile])
    expect(sheet).not.toMatch(/<f>|<v>/)
  })

  test('leaves out signs that XML forbids, and cuts a text that no cell holds', async () => {
    const files = await filesOf(xlsxOf(['a'], pagesOf([['x\0\u0001\ud800y'], ['я'.repeat(40_000)]])))
    const [, odd, long] = textsOf(files['xl/worksheets/sheet1.xml'])
    expect(odd).toBe('x\ufffdy')
    expect(long).toHaveLength(32_767)
  })

  test('has numbers, days and moments as such', async () => {
    const cells = [7, { day: '2026-11-24' }, new Date('2026-11-24T12:00:00Z'), null]
    const { 'xl/worksheets/sheet1.xml': sheet } = await filesOf(xlsxOf(['a', 'b', 'c', 'd'], pagesOf([cells])))
    expect(sheet).toContain('<c><v>7</v></c><c s="4"><v>46350</v></c><c s="3"><v>46350.5</v></c><c/>')
  })

  test('goes on in the next sheet with the heads, and loses no row', async () => {
    const rows = Array.from({ length: 7 }, (_, n) => [`row ${n}`])
    const files = await filesOf(xlsxOf(['head'], pagesOf(rows.slice(0, 5), rows.slice(5)), 4))
    const sheets = [1, 2, 3].map((n) => textsOf(files[`xl/worksheets/sheet${n}.xml`]))
    expect(sheets.map(([head]) => head)).toEqual(['head', 'head', 'head'])
    expect(sheets.flatMap(([, ...rows]) => rows)).toEqual(rows.flat())
    expect(files['xl/workbook.xml']?.match(/<sheet /g)).toHaveLength(3)
  })
})

describe('an exported list', () => {
  const list = (format: 'xlsx' | 'csv', reads: (string | undefined)[] = []) =>
    exportFile<string>({
      format,
      name: 'list',
      timeZone: 'Asia/Tokyo',
      columns: [
        { head: 'name', cell: (row) => row },
        { head: 'date', moment: () => new Date('2026-11-24T20:00:00Z') },
      ],
      read: async (after) => {
        reads.push(after)
        return after ? { rows: ['=b'], after: null } : { rows: ['a'], after: 'next' }
      },
    })

  test('reads a page when the file is read that far', async () => {
    const reads: (string | undefined)[] = []
    const chunks = list('csv', reads).chunks[Symbol.asyncIterator]()
    expect(reads).toEqual([])
    await chunks.next()
    expect(reads).toEqual([])
    await chunks.next()
    expect(reads).toEqual([undefined])
  })

  test('is CSV of every page, with the clock of its reader, whose zone the head names, and no formula', async () => {
    let text = ''
    for await (const chunk of list('csv').chunks) text += chunk
    expect(text).toBe('\ufeffname;date (Asia/Tokyo)\r\na;2026-11-25 05:00:00\r\n"\'=b";2026-11-25 05:00:00\r\n')
  })

  test('is a workbook of every page', async () => {
    const files = await filesOf(list('xlsx').chunks)
    expect(textsOf(files['xl/worksheets/sheet1.xml'])).toEqual(['name', 'date (Asia/Tokyo)', 'a', '=b'])
  })
})

test('the button asks for the filters and the sorting of its list, and for no page', () => {
  const search = new URLSearchParams([
    ['filter[search]', 'Иванов & {id}'],
    ['filter[entity]', 'users'],
    ['filter[entity]', 'roles'],
    ['meta[after]', 'x'],
    ['sortBy', 'name'],
    ['sort', 'desc'],
    ['tab', 'history'],
  ])
  const [path, query] = exportPath('/setting/users/export', { search: String(search) }, 'csv').split('?')
  expect(path).toBe('/setting/users/export')
  expect([...new URLSearchParams(query)]).toEqual([
    ['format', 'csv'],
    ...[...search].filter(([name]) => !name.startsWith('meta') && name !== 'tab'),
  ])
})

test('no verb exports a list past the history', () => {
  const files = readdirSync('lib', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const exporting = files.filter((file) => /\bexportFile\b/.test(readFileSync(join('lib', file), 'utf8')))
  expect(exporting.toSorted()).toEqual(['base/export/audited-export.ts', 'base/export/export.ts'])
})
