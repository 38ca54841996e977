import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import {
  cellText,
  csvBeginning,
  csvOf,
  decodedText,
  decodeFile,
  detectSeparator,
  textCell,
} from '@/lib/base/tables/csv'
import { caseNumbers, eachRound } from '../../factories/random-cases'

describe('what a spreadsheet opens', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =1', '\u00a0=1', '\ufeff=1', '＝1', '"=1'])(
    'calculates nothing: %j',
    (cell) => {
      const [row] = Papa.parse<string[]>(csvOf([['left', cell, 'right']]), { delimiter: ';' }).data
      expect(row?.[0]).toBe('left')
      expect(row?.[2]).toBe('right')
      expect(row?.[1]).toBe(cell.startsWith('"') ? cell : `'${cell}`)
      expect(row?.[1]).not.toMatch(/^[\s\ufeff]*[=+\-@＝]/)
    },
  )

  test('keeps every cell as it is otherwise', () => {
    const cells = ['one;two', 'a "quoted" word', 'two\nlines', ' spaces ', 'name@example.com', '7701234567', '']
    const [row] = Papa.parse<string[]>(csvOf([cells]), { delimiter: ';' }).data
    expect(row).toEqual(cells)
  })

  test('a cell of random signs neither leaves its place nor begins a formula', () => {
    const random = caseNumbers(9)
    const signs = [...'=+-@;,"\n\r\t\'a ']
    for (const round of eachRound(2_000)) {
      const cell = Array.from({ length: round % 9 }, () => signs[random(signs.length)]).join('')
      const { data } = Papa.parse<string[]>(csvOf([['x', cell, 'y']]), { delimiter: ';', newline: '\r\n' })
      expect(data[0]?.[0], JSON.stringify(cell)).toBe('x')
      expect(data[0]?.[2], JSON.stringify(cell)).toBe('y')
      expect(cellText(data[0]?.[1] ?? ''), JSON.stringify(cell)).toBe(cell)
      expect(data[0]?.[1], JSON.stringify(cell)).not.toMatch(/^\s*[=+\-@]/)
    }
  })
})

describe('an apostrophe before a cell', () => {
  test.each(["'", "'a", "'=a", "''=a", "'#N/A", "''#N/A", '#N/A', '#ДЕЛ/0!', '=1', "' =1", "'\t"])(
    'is no part of %j',
    (cell) => {
      const [row] = Papa.parse<string[]>(csvOf([['left', textCell(cell)]]), { delimiter: ';', newline: '\r\n' }).data
      expect(cellText(row?.[1] ?? '')).toBe(cell)
    },
  )

  test('of a foreign file stays where it guards nothing', () => {
    expect(["'a", "'", "'+7", "'7", "'#hash"].map(cellText)).toEqual(["'a", "'", '+7', "'7", "'#hash"])
  })
})

describe('the separator of a text', () => {
  test.each([
    ['sep=;\r\na,b;c', ';', 'a,b;c'],
    ['\ufeffSEP=,\na;b', ',', 'a;b'],
    ['"sep=|"\na|b', '|', 'a|b'],
    ['sep=\t\na\tb', '\t', 'a\tb'],
    ['sep=;a\nb', ';', 'sep=;a\nb'],
    ['a,b,c;d', ',', 'a,b,c;d'],
    ['a|b', ';', 'a|b'],
  ])('%j', (text, separator, rest) => {
    expect(detectSeparator(text)).toEqual({ separator, text: rest })
  })

  test('isn’t taken from the titles of our own files', () => {
    const file = csvOf([['Фамилия, имя, отчество, а также девичья', 'b\tc']])
    expect(detectSeparator(file).separator).toBe(';')
    expect(Papa.parse(detectSeparator(file).text, { delimiter: ';' }).data[0]).toEqual([
      'Фамилия, имя, отчество, а также девичья',
      'b\tc',
    ])
  })
})

describe('the text of a file', () => {
  const text = 'почта;роли\nё@x.example;Поставщик'
  const utf16 = (big: boolean) => {
    const bytes = new Uint8Array(2 + text.length * 2)
    const view = new DataView(bytes.buffer)
    for (const [at, sign] of [...`\ufeff${text}`].entries()) view.setUint16(at * 2, sign.charCodeAt(0), !big)
    return bytes
  }
  const windows1251 = Uint8Array.from(text, (sign) => {
    const code = sign.charCodeAt(0)
    if (code < 128) return code
    if (sign === 'ё') return 0xb8
    return code - 0x430 + 0xe0
  })
  test.each([
    ['UTF-8', new TextEncoder().encode(text)],
    ['UTF-8 with its mark', new TextEncoder().encode(csvBeginning + text)],
    ['windows-1251', windows1251],
    ['UTF-16, as a spreadsheet’s “Unicode text”', utf16(false)],
    ['UTF-16 with the other order of bytes', utf16(true)],
  ])('is read from %s', (_, bytes) => {
    expect(decodedText(bytes)).toBe(text)
  })

  test('with a few broken bytes is still UTF-8, and has a mark in their place', () => {
    const bytes = new TextEncoder().encode(`${text}_${text}`)
    const broken = bytes.map((byte) => (byte === 0x5f ? 0xff : byte))
    expect(decodeFile(broken)).toEqual({ text: `${text}\ufffd${text}`, encoding: 'utf-8', broken: true })
    expect(decodeFile(broken, 'windows-1251')).toMatchObject({ encoding: 'windows-1251', broken: false })
    expect(decodeFile(bytes, 'windows-1251').text).not.toBe(`${text}_${text}`)
    expect(decodeFile(Uint8Array.from([...windows1251, 0x98])).encoding).toBe('windows-1251')
  })

  test('in UTF-16 without a mark is told by its bytes', () => {
    expect(decodeFile(utf16(false).slice(2))).toEqual({ text, encoding: 'utf-16le', broken: false })
    expect(decodeFile(utf16(true).slice(2))).toEqual({ text, encoding: 'utf-16be', broken: false })
    expect(decodeFile(new TextEncoder().encode(`login\n${'a\0'.repeat(9)}b`)).encoding).toBe('utf-8')
  })

  test('is read in old Russian encodings that are chosen', () => {
    const bytes = (...codes: number[]) => Uint8Array.from(codes)
    expect(decodeFile(bytes(0x8f, 0xae, 0xe7, 0xe2, 0xa0, 0xf1), 'ibm866').text).toBe('Почтаё')
    expect(decodeFile(bytes(0xf0, 0xcf, 0xde, 0xd4, 0xc1, 0xa3), 'koi8-r').text).toBe('Почтаё')
  })

  test('with the mark of UTF-8 is nothing else', () => {
    const bytes = Uint8Array.from([0xef, 0xbb, 0xbf, ...windows1251])
    expect(decodeFile(bytes)).toMatchObject({ encoding: 'utf-8', broken: true })
  })
})
