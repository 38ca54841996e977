import { describe, expect, test } from 'vitest'
import { placePasted, splitLines, splitPasted } from '@/components/form/pasted'

describe('pasted text', () => {
  test.each([
    ['10.0.0.1', ['10.0.0.1']],
    ['10.0.0.1\n10.0.0.2\r\n10.0.0.3', ['10.0.0.1', '10.0.0.2', '10.0.0.3']],
    ['a,b; c\td  e', ['a', 'b', 'c', 'd', 'e']],
    [' , ;\n\t ', []],
    ['\ufeffa\u00a0b\u200bc', ['a', 'b', 'c']],
    ['2001:db8::/32,10.0.0.0/8', ['2001:db8::/32', '10.0.0.0/8']],
  ])('%j is split into %j', (text, values) => expect(splitPasted(text)).toEqual(values))
})

describe('pasted values', () => {
  test('fill the empty row and new rows after it', () =>
    expect(placePasted(['x', '', 'y'], 1, ['a', 'b'], 10)).toEqual({ first: 'a', added: ['b'], left: 0, repeated: 0 }))
  test('don’t change a row that has a value', () =>
    expect(placePasted(['x'], 0, ['a', 'b'], 10)).toEqual({
      first: undefined,
      added: ['a', 'b'],
      left: 0,
      repeated: 0,
    }))
  test('stop at the limit, which is reported', () =>
    expect(placePasted(['', 'x'], 0, ['a', 'b', 'c', 'd'], 3)).toEqual({
      first: 'a',
      added: ['b'],
      left: 2,
      repeated: 0,
    }))
  test('are counted as repeated among themselves and with existing values', () =>
    expect(placePasted(['', ' x '], 0, ['x', 'a', 'a', 'b'], 9).repeated).toBe(2))
  test('never exceed the limit and never lose a value silently', () => {
    for (let round = 0; round < 500; round++) {
      const rowsBefore = Array.from({ length: 1 + (round % 7) }, (_, n) => ((n + round) % 3 === 0 ? '' : `h${n}`))
      const values = Array.from({ length: 2 + ((round * 7) % 11) }, (_, n) => `v${n % 5}`)
      const max = Math.max(rowsBefore.length, (round * 3) % 13)
      const { first, added, left } = placePasted(rowsBefore, round % rowsBefore.length, values, max)
      expect(rowsBefore.length + added.length).toBeLessThanOrEqual(max)
      expect((first === undefined ? 0 : 1) + added.length + left).toBe(values.length)
      expect([...(first === undefined ? [] : [first]), ...added]).toEqual(values.slice(0, values.length - left))
    }
  })
})

test('a text with blanks is split at line breaks alone', () => {
  expect(splitLines(' Первая  смена\r\n\n\tВторая, ночная; \u200b\n\n')).toEqual(['Первая смена', 'Вторая, ночная;'])
})
