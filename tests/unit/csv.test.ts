import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { csvBeginning, csvOf, decodedText } from '@/lib/kernel/csv'
import { caseNumbers, eachRound } from '../factories/random-cases'

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
      expect(data[0]?.[1]?.replace(/^'/, ''), JSON.stringify(cell)).toBe(cell.replace(/^'/, ''))
      expect(data[0]?.[1], JSON.stringify(cell)).not.toMatch(/^\s*[=+\-@]/)
    }
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
})
