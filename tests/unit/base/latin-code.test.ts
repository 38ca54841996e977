import { expect, test } from 'vitest'
import { codesLike, latinCode } from '@/lib/base/text/latin-code'

test.each([
  ['Киоск в холле', 'kiosk-v-kholle'],
  ['ПОДЪЕЗД № 5', 'podezd-5'],
  ['Ёжик — щука', 'ezhik-shchuka'],
  ['й'.normalize('NFD'), 'y'],
  ['Crème brûlée', 'creme-brulee'],
  ['  --a--  ', 'a'],
  ['你好', 'item'],
  ['', 'item'],
])('%s becomes %s', (name, code) => expect(latinCode(name, 'item')).toBe(code))

test('a long name is cut where a code may end', () => {
  const code = latinCode('слово '.repeat(40), 'item')
  expect(code.length).toBeLessThanOrEqual(48)
  expect(code).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
})

test('codes are tried one after another', () => {
  expect([...codesLike('a')].slice(0, 3)).toEqual(['a', 'a-2', 'a-3'])
})
