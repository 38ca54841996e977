import { describe, expect, test } from 'vitest'
import { newlyProven } from '@/lib/directory-sync/provider-sync/proven'
import { mapPerson, type UsedMapper } from '@/lib/directory-sync/provider-sync/values'
import type { Definition } from '@/lib/fields/values/definition'
import {
  type DirectoryPerson,
  type SourceValue,
  sourceValueOf,
  sourceValuesOf,
} from '@/lib/identity-providers/connections/directory'
import { caseNumbers, eachRound } from '../../factories/random-cases'

describe('what a source says', () => {
  test.each([
    [null, []],
    ['', []],
    [[], []],
    [['', null], []],
    ['a', ['a']],
    [7, ['7']],
    [false, ['false']],
    [
      ['a', 1],
      ['a', '1'],
    ],
    [{}, null],
    [[{}], null],
    [['a', { b: 1 }], null],
    ['a\0b', null],
  ])('of %j is %j', (value, expected) => expect(sourceValueOf(value)).toEqual(expected))

  test('is read by path into objects, a whole name before a path', () => {
    expect(sourceValuesOf({ a: { b: 'c', d: { e: ['f'] } }, 'a.b': 'whole' })).toEqual({
      ...{ a: null, 'a.b': ['whole'], 'a.d': null, 'a.d.e': ['f'] },
    })
    for (const value of [null, 'x', [], 7]) expect(sourceValuesOf(value)).toBeNull()
  })

  test('is read to a depth and a number of values, whatever it is', () => {
    let deep: object = { end: 'x' }
    for (let n = 0; n < 10_000; n++) deep = { a: deep }
    expect(Object.keys(sourceValuesOf(deep) ?? {})).toHaveLength(5)
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`n${n}`, { a: 'b' }]))
    expect(Object.keys(sourceValuesOf(wide) ?? {})).toHaveLength(2_000)
    const named = sourceValuesOf(JSON.parse('{"__proto__": "x", "constructor": {"name": "y"}}'))
    expect(Object.hasOwn(named ?? {}, 'constructor.name')).toBe(true)
  })
})

const field = (code: string, fieldType: Definition['fieldType'], more: Partial<Definition> = {}) =>
  ({ code, fieldType, multiple: false, type: 'users', systemic: false, ...more }) as Definition
const fields = [
  field('text', 'input'),
  field('flag', 'toggle'),
  field('day', 'date'),
  field('many', 'dropbox', { multiple: true }),
]
const mapper = (after: string, more: Partial<UsedMapper> = {}): UsedMapper => ({
  ...{ type: 'users-base', name: after, before: after, after, customAttributes: true, absent: 'keep', attributes: [] },
  ...more,
})
const person = (attributes: DirectoryPerson['attributes'], more: Partial<DirectoryPerson> = {}): DirectoryPerson => ({
  ...{ externalId: 'x', enabled: true, fields: {}, attributes, roles: [], proven: [] },
  ...more,
})

describe('a mapper', () => {
  test.each([
    ['flag', ['Да'], true],
    ['flag', ['0'], false],
    ['flag', ['perhaps'], 'perhaps'],
    ['day', ['2026-01-02T23:00:00Z'], '2026-01-02'],
    ['day', ['2026-01-02 and more'], '2026-01-02 and more'],
    ['many', ['a', 'b'], ['a', 'b']],
    ['many', [], null],
    ['text', ['a', 'b'], 'a'],
  ])('of %s makes of %j %j', (code, sourceValue, value) => {
    expect(
      mapPerson(person({ [code]: sourceValue }), { mappers: [mapper(code)], vouched: true }, fields).values,
    ).toEqual({
      [code]: value,
    })
  })

  test('of random people keeps the three apart: absent, empty and broken', () => {
    const random = caseNumbers(511)
    for (const _ of eachRound(500)) {
      const absent = random(2) ? ('keep' as const) : ('clear' as const)
      const sourceValue = [undefined, [], null, ['x'], ['']][random(5)]
      const sent: Record<string, SourceValue> = sourceValue === undefined ? {} : { text: sourceValue }
      const attributes = random(8) ? sent : null
      const { values, broken } = mapPerson(
        person(attributes),
        { mappers: [mapper('text', { absent })], vouched: true },
        fields,
      )
      if (attributes === null || sourceValue === null) expect([values, broken]).toEqual([{}, ['text']])
      else if (sourceValue === undefined)
        expect([values, broken]).toEqual([absent === 'clear' ? { text: null } : {}, []])
      else expect([values, broken]).toEqual([{ text: sourceValue[0] || null }, []])
    }
  })

  test('of roles gives those of which it reads, and says of which it can’t', () => {
    const roles = { type: 'users-access' as const, after: 'role', customAttributes: false }
    const byRole = mapper('r', { ...roles, before: 'roles', attributes: [{ attribute: 'staff', value: 'A' }] })
    const byKey = mapper('k', {
      ...roles,
      before: '',
      customAttributes: true,
      attributes: [{ attribute: 'vip', value: 'B' }],
    })
    const made = (of: DirectoryPerson) => {
      const { roles: given, rolesUnread } = mapPerson(of, { mappers: [byRole, byKey], vouched: true }, fields)
      return [given, rolesUnread]
    }
    expect(made(person({ vip: ['yes'] }, { roles: ['staff'] }))).toEqual([['A', 'B'], []])
    expect(made(person({ vip: ['false'] }, { roles: ['other'] }))).toEqual([[], []])
    expect(made(person({}, { roles: null }))).toEqual([[], ['A']])
    expect(made(person(null, { roles: ['staff'] }))).toEqual([['A'], ['B']])
    expect(made(person({ vip: null }))).toEqual([[], ['B']])
  })
})

describe('a contact that a provider has proven', () => {
  const account = { email: null, mobile: null, emailVerifiedAt: null, mobileVerifiedAt: null }

  test.each([
    ['ivan@почта.рф', 'ivan@xn--80a1acny.xn--p1ai', true],
    ['ivan@xn--80a1acny.xn--p1ai', 'Ivan@Почта.рф', true],
    ['ivan@polaris.example', ' Ivan@POLARIS.example ', true],
    ['ivan@xn--80a1acny.xn--p1ai', 'ivan@polaris.example', false],
    ['ivan@polaris.example', 'not an e-mail', false],
    // what earlier versions took is still itself
    ['иван@polaris.example', 'Иван@polaris.example', true],
  ])('of an account with %s who is sent %s is proven here: %s', (email, sent, is) => {
    const given = { proven: ['email' as const], values: { email: sent } }
    expect(newlyProven({ ...account, email }, given)).toEqual(is ? ['email'] : [])
  })
})
