import { describe, expect, test } from 'vitest'
import { makeBloom, mayContain } from '@/lib/sign-in/passwords/bloom'
import { breachedEntries, isBreached } from '@/lib/sign-in/passwords/breached'
import { isPersonal } from '@/lib/sign-in/passwords/personal'
import { generatePassword } from '@/lib/sign-in/passwords/rules'
import { caseNumbers, eachRound } from '../../factories/random-cases'

describe('the list of leaked passwords', () => {
  test.each([
    'password',
    '12345678',
    'PASSWORD1',
    'qwertyuiop',
    'iloveyou',
    '1q2w3e4r5t',
    'trustno1',
    'зфыыцщкв',
    'ＰＡＳＳＷＯＲＤ',
  ])('contains %s', async (password) => expect(await isBreached(password)).toBe(true))

  test.each([
    'Password-1',
    'P@ssw0rd2026!',
    '!!Qwerty123!!',
    '$ummer2024',
    'Dragon#777',
    'Пароль-2026',
    'йцукен123',
    'Любовь!!!',
  ])('recognizes %s with its substitutions', async (password) => expect(await isBreached(password)).toBe(true))

  test.each([
    'Correct-horse-7',
    'Polaris-2026-demo',
    'Another-horse-8',
    'корова лазает по проводам',
    'Dragon-48291-#!-73',
  ])('allows %s', async (password) => expect(await isBreached(password)).toBe(false))

  test('wrongly refuses fewer than one in a thousand random passwords', async () => {
    const rules = { min: 8, max: 128, symbols: '!@#$%^&*', uppercase: true, lowercase: true, numbers: true }
    const random = caseNumbers(5)
    let wrong = 0
    for (const _ of eachRound(5_000)) {
      const made = generatePassword({ ...rules, custom: [], generate: true }, random) ?? ''
      if (await isBreached(made)) wrong++
    }
    expect(wrong).toBeLessThan(5)
  })
})

describe('the filter', () => {
  const texts = new Set(Array.from({ length: 20_000 }, (_, n) => `held ${n}`))
  const bloom = makeBloom(texts)
  test('contains everything that was put in', () => {
    for (const text of texts) expect(mayContain(bloom, text)).toBe(true)
  })
  test('contains hardly anything else', () => {
    let wrong = 0
    for (let n = 0; n < 100_000; n++) if (mayContain(bloom, `other ${n}`)) wrong++
    expect(wrong).toBeLessThan(20)
  })
  test('also checks long passwords as a whole, and common words with substitutions', () =>
    expect([...breachedEntries(['Dragon', 'Sunshine1', '12345'])]).toEqual(['~dragon', '=sunshine1']))
})

describe('a person’s own words', () => {
  const ownWords = ['ivan.petrov', 'i.petrov@polaris.example', 'Иван', 'Петров', 'Лев', 'Портал «Полярис»']
  test.each([
    'Петров-2024',
    'Petrov-2024',
    'P3tr0v-2024',
    'ivan.petrov!A1',
    'i.petrov@polaris.example1A',
    'Полярис-99',
    'Ivan-Petrov-7',
  ])('aren’t a password: %s', (password) => expect(isPersonal(password, ownWords)).toBe(true))
  test.each(['Petrov-likes-cats-7', 'Correct-horse-7', 'Лев-и-лисица-7', 'xK9$qq12-#'])(
    'may be a part of one: %s',
    (password) => expect(isPersonal(password, ownWords)).toBe(false),
  )
})
