import { describe, expect, test } from 'vitest'
import { line, lines, personName, requiredLine } from '@/lib/base/contracts/contract'
import { hashPassword, verifyPassword } from '@/lib/base/crypto/password'
import { AppError } from '@/lib/base/runtime/errors'
import { hostileCharacters, unstorable } from '../../factories/hostile'

const faultOf = (schema: ReturnType<typeof line>, text: unknown) => schema.safeParse(text).error?.issues[0]?.message
const hostile = Object.entries(hostileCharacters)

describe('a text of one line', () => {
  test.each(hostile)('refuses %s at any position', (_, sign) => {
    for (const text of [sign, `a${sign}b`, `${sign}b`, `a${sign}`, `a${sign}${sign}b`]) {
      // a line break at its beginning or end is trimmed as a space is
      if (text.trim() === text.replaceAll(sign, '') && /[\n\u2028]/.test(sign)) continue
      expect(faultOf(line(), text), JSON.stringify(text)).toBe('errorChars')
    }
  })
  test.each([
    'Ёлочки «и» — тире №5',
    'İstanbul, Łódź, 東京, العربية, हिन्दी',
    '👍🏽 and 🇷🇺',
    'a heart ❤\ufe0f and a key 1\ufe0f\u20e3',
    'ffi ﬁ Å e\u0301',
  ])('takes %s', (text) => expect(line().parse(text)).toBe(text))
  test('is trimmed before its length is checked', () => {
    expect(line(3).parse(' \t\u00a0abc\r\n')).toBe('abc')
    expect(faultOf(line(3), 'abcd')).toBe('errorTooLong')
    expect(faultOf(requiredLine(), ' \n')).toBe('errorEmpty')
  })
  test('a family emoji needs joiners, which one line refuses', () =>
    expect(faultOf(line(), '👩\u200d👩\u200d👧')).toBe('errorChars'))
})

describe('a text of several lines', () => {
  test('accepts line breaks, tabs and joiners', () => {
    const text = 'a\r\n\tb\n👩\u200d👩\u200d👧 می\u200cخواهم'
    expect(lines(100).parse(text)).toBe(text)
  })
  test.each(hostile.filter(([name]) => /half|NUL|bell|C1|direction/.test(name)))('refuses %s', (_, sign) =>
    expect(faultOf(lines(100), `a${sign}b`)).toBe('errorChars'),
  )
})

describe('a person’s name as it is typed', () => {
  test.each(hostile.filter(([name]) => !/half|NUL|bell|control|end of a line$/.test(name)))(
    'may hold %s, which is tidied',
    (_, sign) => expect(personName().safeParse(`a${sign}b`).success).toBe(true),
  )
  test.each(hostile.filter(([name]) => /half|NUL|bell|control|^the end/.test(name)))('refuses %s', (_, sign) =>
    expect(faultOf(personName(), `a${sign}b`)).toBe('errorChars'),
  )
})

describe('a password', () => {
  const half = hostileCharacters[unstorable[0]]
  test('with half of a surrogate pair is refused before it is hashed', async () => {
    const stored = await hashPassword('pass\ufffdword')
    for (const work of [() => hashPassword(`pass${half}word`), () => verifyPassword(stored, `pass${half}word`)]) {
      const error = await Promise.resolve()
        .then<unknown>(work)
        .catch((thrown) => thrown)
      expect(error).toBeInstanceOf(AppError)
      expect(error).toMatchObject({ status: 400, data: { errorList: [{ field: 'password', code: 'errorChars' }] } })
    }
    expect((await verifyPassword(stored, 'pass\ufffdword')).right).toBe(true)
  })
  test('of 64 characters of any script is used in full, with joiners and marks of direction', async () => {
    const password = `${'👩\u200d👩'.repeat(15)}\u202e\u200b\ufeffш`
    expect([...password].length).toBe(49)
    const long = `${password}${'я'.repeat(15)}`
    const stored = await hashPassword(long)
    expect((await verifyPassword(stored, long)).right).toBe(true)
    expect((await verifyPassword(stored, `${long.slice(0, -1)}ё`)).right).toBe(false)
    expect((await verifyPassword(stored, long.replace('\u202e', ''))).right).toBe(false)
  })
})
