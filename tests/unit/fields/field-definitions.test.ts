import { describe, expect, test } from 'vitest'
import { changedValues, definedDefaults, definedName } from '@/components/form/defined-values'
import {
  claimOf,
  editedValue,
  type FieldRules,
  fieldTypes,
  isFilled,
  shownParts,
  uniqueText,
} from '@/lib/fields/values/definition'
import { checkValue } from '@/lib/fields/values/schema'
import { checkValues, recordedValues, withChanges } from '@/lib/fields/values/values'
import { hostileCharacters, hostileValues } from '../../factories/hostile'
import { eachRound } from '../../factories/random-cases'
import { one, options, random, randomCase, rulesOf } from '../../factories/random-fields'

const now = new Date('2026-11-23T10:00:00Z')

describe('a value by its definition', () => {
  test('is stored, shown, claimed, recorded and edited again as it was written, for any definition', () => {
    for (const _ of eachRound(3_000)) {
      const { rules, typed, stored } = randomCase()
      const checked = checkValue(rules, typed, { now })
      expect(checked, JSON.stringify({ rules, typed })).toEqual({ value: stored })
      // what is stored is accepted again, and stays as it is
      expect(checkValue(rules, stored, { now })).toEqual({ value: stored })
      expect(claimOf(rules, stored)).toEqual(stored)
      expect(recordedValues({ x: stored }, ['x'])).toEqual({ 'field:x': stored })
      expect(editedValue(rules, stored)).toEqual(stored)
      const parts = shownParts(rules, stored).map((part) => (part.as === 'yesNo' ? part.on : part.text))
      const title = (code: unknown) => options.find((option) => option.code === code)?.title ?? code
      expect(parts).toEqual([stored].flat().map((value) => (rules.options.length > 0 ? title(value) : value)))
      // a form that nobody touched sends nothing
      const base = definedDefaults([rules], { x: stored })
      expect(changedValues([rules], base, base)).toEqual({})
      expect(changedValues([rules], { ...base, [definedName(rules)]: '' }, base)).toEqual({ x: '' })
    }
  })

  test('is checked alike by a definition that has checked others before, whosever they were', () => {
    const codes = ['login', 'birthDate', 'fio', 'mobile', 'x'] as const
    const texts = [
      '',
      ' ',
      '\u200b',
      'anna',
      'Anna',
      'a',
      'a@b.example',
      '2026-11-24',
      '2026-11-25',
      '1899-12-31',
      '+79001234567',
    ]
    const definitions = codes.flatMap((code) =>
      [true, false].map((required) =>
        rulesOf(code === 'birthDate' ? 'date' : 'input', { base: code !== 'x', code, required }),
      ),
    )
    for (const _ of eachRound(2_000)) {
      const rules = one(definitions)
      const context = {
        now: new Date(now.getTime() + random(3) * 86_400_000),
        ...(random(2) ? { stored: one(texts) } : {}),
        ...(random(2) ? { email: one(texts) } : {}),
      }
      const value = one(texts)
      expect(checkValue(rules, value, context)).toEqual(checkValue({ ...rules }, value, context))
    }
  })

  test.each(fieldTypes)('of type %s is refused by a code, whatever is sent, and never throws', (fieldType) => {
    for (const multiple of [false, true])
      for (const value of [...hostileValues, ...Object.values(hostileCharacters).map((sign) => `a${sign}b`)]) {
        const rules = rulesOf(fieldType, { multiple, required: true })
        const checked = checkValue(rules, value, { now })
        if ('fault' in checked) {
          expect(checked.fault.field).toBe('x')
          expect(checked.fault.code).toMatch(/^error[A-Z]/)
        } else {
          expect(['boolean', 'string', 'object']).toContain(typeof checked.value)
          // a toggle that nobody has switched is off
          expect(isFilled(checked.value) || fieldType === 'toggle').toBe(true)
          expect(checkValue(rules, checked.value, { now })).toEqual(checked)
        }
      }
  })

  test.each(Object.entries(hostileCharacters))('of one line contains no %s', (_, sign) => {
    for (const fieldType of ['input', 'email', 'phone', 'date'] as const)
      expect(checkValue(rulesOf(fieldType), `a${sign}b`, { now })).toHaveProperty('fault')
  })

  const refused: [FieldRules, unknown, string][] = [
    [rulesOf('input', { required: true }), ' ', 'errorEmpty'],
    [rulesOf('dropbox', { required: true, multiple: true }), [], 'errorEmpty'],
    [rulesOf('input', { maxLength: 3 }), 'abcd', 'errorTooLong'],
    [rulesOf('input'), 'x'.repeat(256), 'errorTooLong'],
    [rulesOf('input', { minLength: 3 }), 'ab', 'errorTooShort'],
    [rulesOf('input', { latin: true }), 'Аlfa', 'errorLatinText'],
    [rulesOf('input', { pattern: '^\\d+$' }), '12a', 'errorPattern'],
    [rulesOf('input', { pattern: '(' }), 'any', 'errorPattern'],
    [rulesOf('textarea'), 'x'.repeat(2_001), 'errorTooLong'],
    [rulesOf('dropbox'), 'z', 'errorOption'],
    [rulesOf('dropbox'), ['a'], 'errorOption'],
    [rulesOf('combobox', { multiple: true }), ['a', 'a'], 'errorOption'],
    [rulesOf('combobox', { multiple: true }), 'a', 'errorOption'],
    [rulesOf('date'), '2026-02-29', 'errorDate'],
    [rulesOf('date'), '2026-2-1', 'errorDate'],
    [rulesOf('phone'), '+7900', 'errorMobile'],
    [rulesOf('email'), 'a@b', 'errorEmail'],
    [rulesOf('toggle'), 'true', 'errorFormat'],
    [rulesOf('picture'), 'a', 'errorReadOnly'],
    [rulesOf('date', { base: true, code: 'birthDate' }), '2026-11-25', 'errorBirthDate'],
    [rulesOf('date', { base: true, code: 'birthDate' }), '1899-12-31', 'errorBirthDate'],
    [rulesOf('input', { base: true, code: 'login' }), 'anna@polaris.example', 'errorLogin'],
    [rulesOf('input', { base: true, code: 'firstName', required: true }), '\u200b', 'errorEmpty'],
  ]
  test.each(
    refused.map(([rules, value, code], n) => [`${n + 1}: ${rules.fieldType}, ${code}`, rules, value, code] as const),
  )('is refused, %s', (_, rules, value, code) => {
    expect(checkValue(rules, value, { now })).toMatchObject({ fault: { code } })
  })

  test('a pattern takes linear time, whatever administrators write', () => {
    const rules = rulesOf('textarea', { pattern: '^(a+)+$' })
    expect(checkValue(rules, `${'a'.repeat(1_900)}!`, { now })).toMatchObject({ fault: { code: 'errorPattern' } })
  })
})

describe('a definition that changed later', () => {
  const stored: unknown[] = [
    'text',
    'gone',
    ['gone', 'a'],
    [],
    {},
    { a: [1] },
    17,
    true,
    null,
    '2026-99-99',
    [[1], null],
  ]
  test.each(fieldTypes)('to type %s leaves every value readable', (fieldType) => {
    for (const value of stored)
      for (const multiple of [false, true]) {
        const rules = rulesOf(fieldType, { multiple })
        expect(() => shownParts(rules, value)).not.toThrow()
        expect(() => claimOf(rules, value)).not.toThrow()
        expect(() => uniqueText(value)).not.toThrow()
        // the form shows an empty control or the value itself, and the person can save another one
        const edited = editedValue(rules, value)
        expect(typeof edited === 'object' ? Array.isArray(edited) : ['string', 'boolean']).toBeTruthy()
      }
  })

  test('keeps an option that is offered no more, but nobody else may choose it', () => {
    const rules = rulesOf('dropbox', { multiple: true })
    expect(checkValue(rules, ['gone', 'a'], { now, stored: ['gone'] })).toEqual({ value: ['gone', 'a'] })
    expect(checkValue(rules, ['gone', 'a'], { now, stored: ['a'] })).toMatchObject({ fault: { code: 'errorOption' } })
  })
})

describe('several values', () => {
  const fields = [
    { code: 'open', rules: rulesOf('input') },
    { code: 'closed', rules: rulesOf('input'), refused: 'errorReadOnly' as const },
  ]
  test('are refused by field: unknown, read-only, wrong', () => {
    const { changes, faults } = checkValues(
      fields,
      { open: 'x'.repeat(300), closed: 'x', gone: 'x', __proto__: 'x', constructor: 'x' },
      { now, stored: {}, prefix: 'additionalInfo.' },
    )
    expect(changes).toEqual({})
    expect(faults).toEqual([
      { field: 'additionalInfo.open', code: 'errorTooLong' },
      { field: 'additionalInfo.closed', code: 'errorReadOnly' },
      { field: 'additionalInfo.gone', code: 'errorUnknownField' },
      { field: 'additionalInfo.constructor', code: 'errorUnknownField' },
    ])
  })

  test('keep what isn’t changed, and leave out what is emptied', () => {
    expect(withChanges({ a: 1, b: { c: 2 }, d: 'x' }, { d: null, e: false })).toEqual({ a: 1, b: { c: 2 }, e: false })
  })
})

test('a stored picture shows no text: its id means nothing to people', () => {
  for (const value of ['0d8f7a10-0000-4000-8000-000000000001', ['a', 'b'], { id: 'a' }, true])
    expect(shownParts({ fieldType: 'picture', options: [] }, value)).toEqual([])
})

test('unique values are the same in every case, spelling of their letters, and with what nobody sees', () => {
  const letters = [...'aZéßſﬁΣςİıЁёйЩｗ１①ǆ한が', 'e\u0301', 'и\u0306', '\u1e9b\u0323', '\u212b']
  const unseen = Object.entries(hostileCharacters).flatMap(([name, text]) =>
    /pair|NUL|bell|end of|control/.test(name) ? [] : [text],
  )
  for (const _ of eachRound(3_000)) {
    const plain = Array.from({ length: 1 + random(8) }, () => one([...letters, ' ', '-'])).join('')
    const text = uniqueText(`x${plain}`)
    const dressed = [`x${plain}`.toUpperCase(), `x${plain}`.toLowerCase(), `x${plain}`.normalize('NFD'), `  x${plain} `]
    dressed.push(`x${[...plain.normalize('NFC')].join(one(unseen))}`)
    for (const other of dressed) expect(uniqueText(other), JSON.stringify([plain, other])).toBe(text)
    expect(uniqueText(text), plain).toBe(text)
  }
  expect(uniqueText(unseen.join(''))).toBeNull()
})
