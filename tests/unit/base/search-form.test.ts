import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { searchIn } from '@/components/form/use-search'
import { paletteScore } from '@/components/shell/palette/keys'
import { isFound, searchForm, searchWords } from '@/lib/base/lists/search-form'
import { searchHelp } from '@/lib/documents/help/search'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { anyText, partOf } from '../../factories/search-texts'

// How searches compare texts (docs/rules/pages.md#how-texts-are-found).

describe('the form of a text', () => {
  test.each([
    ['Ёлкина', 'елкина'],
    ['Е\u0308лкина', 'елкина'],
    ['Андре\u0438\u0306', 'андрей'],
    ['José', 'jose'],
    ['Łódź', 'lodz'],
    ['O’Brien', "o'brien"],
    ['OʼBrien', "o'brien"],
    ['O`Brien', "o'brien"],
    ['O´Brien', "o'brien"],
    ['ООО «Ромашка»', 'ооо "ромашка"'],
    ['А\u00a0Б', 'а б'],
    ['е‑мейл – это', 'е-меил - это'],
    ['№ 5', 'no 5'],
    ['ＡＢＣ', 'abc'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['İstanbul', 'istanbul'],
    ['пере\u00adнос', 'перенос'],
    ['50%_\\', '50%_\\'],
  ])('of %s is %s', (text, form) => expect(searchForm(text)).toBe(searchForm(form)))

  test('is its own form, whatever the text', () => {
    const random = caseNumbers(20_261_140)
    for (const _ of eachRound(2_000)) {
      const text = anyText(random)
      expect(searchForm(searchForm(text))).toBe(searchForm(text))
    }
  })
  test('has one spelling of composed and decomposed letters, and of small and capital ones', () => {
    const random = caseNumbers(20_261_141)
    for (const _ of eachRound(2_000)) {
      const text = anyText(random)
      const forms = [text.normalize('NFC'), text.normalize('NFD'), text.toLowerCase()].map(searchForm)
      expect(new Set([searchForm(text), ...forms]).size).toBe(1)
    }
  })
})

describe('the words of a text', () => {
  test('are looked for in any order, once each', () => {
    expect(searchWords('  Иван   иванов ИВАНОВ ')).toEqual(['иванов'])
    expect(searchWords('Ли Юй')).toEqual(['ли', 'юи'])
    expect(searchWords('a b c d e f g h i j')).toHaveLength(8)
    expect(searchWords(' \u0301 ')).toEqual([])
  })
  test('find whatever contains the text as it was typed', () => {
    const random = caseNumbers(20_261_142)
    for (const _ of eachRound(2_000)) {
      const text = anyText(random)
      const part = partOf(text, random)
      // a soft hyphen or an accent alone asks for nothing, which nothing has
      const asks = part.trim() === '' || part.replace(/\s|\u00ad|[\u0300-\u036f]/g, '') !== ''
      expect({ text, part, isFound: isFound(part, [null, text]) }).toEqual({ text, part, isFound: asks })
      expect(isFound(part.split(' ').reverse().join('  '), [text])).toBe(asks)
    }
  })
  test('have to stand in one of the values', () => {
    expect(isFound('ольга елкина', ['Ёлкина Ольга'])).toBe(true)
    expect(isFound('ольга елкина', ['Ёлкина', 'Ольга'])).toBe(false)
    expect(isFound('100%', ['100 рублей'])).toBe(false)
    expect(isFound('a_b', ['acb'])).toBe(false)
  })
})

describe('searches in the browser and in texts', () => {
  test('choices take words in any order', async () => {
    const options = [{ value: '1', label: 'Ёлкина Ольга', note: 'O’Brien' }]
    const search = searchIn(options)
    for (const text of ['елкина', 'ольга елкина', "o'brien", 'brien  ёлк'])
      expect(await search(text, new AbortController().signal)).toEqual(options)
    expect(await search('нет', new AbortController().signal)).toEqual([])
  })
  test('so does the search over the platform', () => {
    expect(paletteScore('Ёлкина Ольга', 'ольга елкина')).toBeGreaterThan(0)
    expect(paletteScore('Андре\u0438\u0306', 'андрей')).toBeGreaterThan(0)
    expect(paletteScore('O’Brien', "o'brien")).toBeGreaterThan(0)
  })
  test('help marks words as they stand in the text', () => {
    const sections = [{ heading: '', text: 'Пишет Андре\u0438\u0306 сам.', part: 0 }]
    const [hit] = searchHelp([{ code: 'a', name: 'A', locale: 'ru', sections }], 'андрей')
    expect(hit?.excerpt.filter(({ found }) => found).map(({ text }) => text)).toEqual(['Андре\u0438\u0306'])
  })
})

test('no other code looks for a part of a text in the database', () => {
  const others = globSync('{lib,app,db}/**/*.{ts,tsx}').filter(
    (file) => file !== 'db/search.ts' && /\bilike\b/.test(readFileSync(file, 'utf8')),
  )
  expect(others).toEqual([])
})
