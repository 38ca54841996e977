import { expect, test } from 'vitest'
import { maskOf } from '@/lib/sign-in/log/mask'
import { caseNumbers, eachRound } from '../../factories/random-cases'

const below = caseNumbers(79)
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789!#$%'
const text = (from: number, to: number) =>
  Array.from({ length: from + below(to - from) }, () => letters[below(letters.length)]).join('')

test('a mask shows what kind of identifier it was, and little of it', () => {
  expect(maskOf('login', 'ivanov')).toBe('i•••')
  expect(maskOf('email', 'ivanov@polaris.ru')).toBe('i•••@p•••.ru')
  expect(maskOf('mobile', '+79161234567')).toBe('+7•••67')
})

test('a mask shows at most two characters of a text that may be a password, and not how long it is', () => {
  for (const _ of eachRound(2_000)) {
    const [one, other] = [text(8, 40), text(8, 40)]
    const mask = maskOf('login', one)
    expect(mask.replaceAll('•', '')).toBe(one[0])
    expect(mask).toHaveLength(maskOf('login', `${one[0]}${other}`).length)
    const address = maskOf('email', `${one}@${other}.ru`)
    expect(address.replaceAll('•', '')).toBe(`${one[0]}@${other[0]}.ru`)
  }
})
