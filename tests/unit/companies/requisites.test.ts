import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  hasInnControl,
  hasOgrnControl,
  requisiteColumns,
  requisiteInputs,
  requisitesOf,
  requisiteWarnings,
} from '@/lib/companies/requisites'
import { caseNumbers } from '../../factories/random-cases'
import { rounds } from '../../setup/scope'

const Body = z.strictObject(requisiteInputs)
const codeOf = (field: string, value: string) => Body.safeParse({ [field]: value }).error?.issues[0]?.message

const random = caseNumbers(10)
const digits = (count: number) => Array.from({ length: count }, () => random(10)).join('')
const cases = Array.from({ length: rounds(300) })
const endings = (count: number) => Array.from({ length: 10 ** count }, (_, end) => String(end).padStart(count, '0'))

describe('lengths', () => {
  test.each([
    ['inn', [10, 12], 'errorInn'],
    ['kpp', [9], 'errorKpp'],
    ['ogrn', [13, 15], 'errorOgrn'],
    ['okpo', [8, 10], 'errorOkpo'],
  ] as const)('%s may have %j digits, or be empty', (field, lengths, code) => {
    for (let length = 1; length <= 20; length++)
      expect(codeOf(field, digits(length)), `${length}`).toBe(
        (lengths as readonly number[]).includes(length) ? undefined : code,
      )
    expect(codeOf(field, '')).toBeUndefined()
    expect(codeOf(field, `${digits(lengths[0] - 1)}x`)).toBe(code)
    expect(codeOf(field, `${digits(lengths[0] - 1)}٣`)).toBe(code)
  })

  test('a kpp may have two letters', () => {
    expect(codeOf('kpp', '7707AB001')).toBeUndefined()
    expect(codeOf('kpp', '7707ab001')).toBeUndefined()
    expect(codeOf('kpp', 'A70701001')).toBe('errorKpp')
  })

  test('the others have up to 64 characters', () => {
    for (const field of ['registrationNumber', 'taxNumber', 'externalCode']) {
      expect(codeOf(field, 'a'.repeat(64))).toBeUndefined()
      expect(codeOf(field, 'a'.repeat(65))).toBe('errorTooLong')
    }
  })

  test('blanks inside a number are dropped', () => {
    expect(Body.parse({ inn: ' 7707 083 893 ', ogrn: '1 02 77 00 13219 5' })).toMatchObject({
      inn: '7707083893',
      ogrn: '1027700132195',
    })
  })
})

describe('control digits', () => {
  test.each(['7707083893', '7736050003', '7736207543', '500100732259'])('inn %s is right', (inn) =>
    expect(hasInnControl(inn)).toBe(true),
  )
  test.each(['1027700132195', '1027700070518', '304500116000157'])('ogrn %s is right', (ogrn) =>
    expect(hasOgrnControl(ogrn)).toBe(true),
  )

  test.each([
    ['inn', 9, 1, hasInnControl],
    ['inn', 10, 2, hasInnControl],
    ['ogrn', 12, 1, hasOgrnControl],
    ['ogrn', 14, 1, hasOgrnControl],
  ] as const)('%s: after any %i digits exactly one ending of %i is right', (_, count, control, isRight) => {
    for (const start of cases.map(() => digits(count))) {
      const right = endings(control).filter((end) => isRight(start + end))
      expect(right, start).toHaveLength(1)
    }
  })

  test('one mistyped digit is noticed, unless the control digit stands for the remainders 0 and 10', () => {
    for (const start of cases.map(() => digits(9))) {
      const inn = start + endings(1).find((end) => hasInnControl(start + end))
      const at = random(9)
      const other = String((Number(inn[at]) + 1 + random(9)) % 10)
      const mistyped = inn.slice(0, at) + other + inn.slice(at + 1)
      expect(!hasInnControl(mistyped) || inn[9] === '0', `${inn} ${mistyped}`).toBe(true)
    }
  })

  test('no other length is right', () => {
    for (const text of ['', '0', digits(9), digits(11), digits(13), 'x'.repeat(10)])
      expect(hasInnControl(text)).toBe(false)
    for (const text of ['', '0', digits(12), digits(14), digits(16)]) expect(hasOgrnControl(text)).toBe(false)
  })
})

test('only whole numbers with wrong control digits are warned about', () => {
  expect(requisiteWarnings({ inn: '7707083894', ogrn: '1027700132196' })).toEqual({
    inn: 'warningInn',
    ogrn: 'warningOgrn',
  })
  expect(requisiteWarnings({ inn: '7707 083 894' })).toEqual({ inn: 'warningInn' })
  expect(requisiteWarnings({ inn: '7707083893', ogrn: '1027700132195' })).toEqual({})
  expect(requisiteWarnings({ inn: '77070', ogrn: '' })).toEqual({})
  expect(requisiteWarnings({})).toEqual({})
})

test('an empty requisite is null in the row', () => {
  const values = Body.parse({ inn: '7707083893' })
  const columns = requisiteColumns(values)
  expect(columns).toEqual({
    inn: '7707083893',
    kpp: null,
    ogrn: null,
    okpo: null,
    registrationNumber: null,
    taxNumber: null,
    externalCode: null,
  })
  expect(requisitesOf(columns)).toEqual(values)
})
