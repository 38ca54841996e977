import { describe, expect, test } from 'vitest'
import { createDynamicField } from '@/lib/fields/dynamic-fields/contract'
import {
  type FieldValues,
  hasItems,
  isWholeOrder,
  lockedChanges,
  lockedParts,
  mayBeUnique,
  retyped,
  savedAs,
  switchedFlags,
  withImplied,
} from '@/lib/fields/dynamic-fields/rules'
import { fieldTypes } from '@/lib/fields/values/definition'
import { eachRound } from '../../factories/random-cases'
import { one, random } from '../../factories/random-fields'

const chance = () => random(2) === 1
const flags = [
  'adminRequired',
  'adminVisible',
  'adminEdit',
  'profileRequired',
  'profileVisible',
  'profileEdit',
  'integrationRequired',
  'unique',
  'multiple',
] as const
const randomField = (): FieldValues => ({
  ...(Object.fromEntries(flags.map((flag) => [flag, chance()])) as Record<(typeof flags)[number], boolean>),
  fieldType: one(fieldTypes),
  code: one(['a', 'b']),
  subtype: one(['work', 'home']),
  items: ['x', 'y', 'z'].filter(chance).map((code) => ({ id: `id-${code}`, code })),
  pattern: chance() ? '^a' : null,
  minLength: chance() ? 1 : null,
  maxLength: chance() ? 9 : null,
  latin: chance(),
})

describe('any definition', () => {
  test('is saved with what its flags imply, and loses no flag but those that its type has not', () => {
    for (const _ of eachRound(500)) {
      const field = randomField()
      const saved = withImplied(field)
      for (const who of ['admin', 'profile'] as const) {
        if (saved[`${who}Required`]) expect(saved[`${who}Edit`]).toBe(true)
        if (saved[`${who}Edit`]) expect(saved[`${who}Visible`]).toBe(true)
        // nothing that was ticked is cleared, but required of a toggle
        if (field[`${who}Visible`]) expect(saved[`${who}Visible`]).toBe(true)
        if (field[`${who}Edit`]) expect(saved[`${who}Edit`]).toBe(true)
        expect(saved[`${who}Required`]).toBe(field[`${who}Required`] && field.fieldType !== 'toggle')
      }
      expect(saved.integrationRequired).toBe(field.integrationRequired && field.fieldType !== 'toggle')
      expect(saved.multiple).toBe(field.multiple && hasItems(field))
      expect(saved.items).toEqual(hasItems(field) ? field.items : [])
      const isText = field.fieldType === 'input' || field.fieldType === 'textarea'
      expect([saved.pattern, saved.latin]).toEqual(isText ? [field.pattern, field.latin] : [null, false])
      expect(withImplied(saved)).toEqual(saved)
    }
  })

  test('stays consistent in a form, whatever is ticked and whichever type is chosen: a save would add nothing', () => {
    for (const _ of eachRound(500)) {
      const first = savedAs({ fieldType: 'input' }, { ...randomField(), unique: false, fieldType: 'input' })
      const stored = { ...first, fieldType: one(fieldTypes) }
      let field = { ...stored, ...retyped(stored, stored.fieldType) }
      for (let step = 0; step < 12; step++) {
        if (random(4) === 0) {
          const fieldType = one(fieldTypes)
          field = { ...field, ...retyped(field, fieldType) }
          expect({
            adminRequired: field.adminRequired,
            profileRequired: field.profileRequired,
            integrationRequired: field.integrationRequired,
          }).toEqual({ adminRequired: false, profileRequired: false, integrationRequired: false })
        } else {
          const [flag, on] = [one(flags), chance()]
          const before = field
          field = { ...field, ...switchedFlags(flag, on) }
          expect(field[flag]).toBe(on)
          // what has nothing to do with it stays
          const others = flags.filter((each) => each.slice(0, 5) !== flag.slice(0, 5) && !/unique|multiple/.test(each))
          for (const other of others) expect(field[other]).toBe(before[other])
        }
        expect(field.unique && field.multiple).toBe(false)
        for (const who of ['admin', 'profile'] as const) {
          if (field[`${who}Required`]) expect(field[`${who}Edit`]).toBe(true)
          if (field[`${who}Edit`]) expect(field[`${who}Visible`]).toBe(true)
        }
      }
      const last = { ...field, ...retyped(field, field.fieldType) }
      expect(last.unique && !mayBeUnique(last)).toBe(false)
      const { items: _, ...saved } = withImplied(last)
      expect(last).toMatchObject({
        ...saved,
        pattern: last.pattern,
        minLength: last.minLength,
        maxLength: last.maxLength,
        latin: last.latin,
      })
      const retypedBack = retyped(field, stored.fieldType, stored)
      expect(retypedBack.adminRequired).toBe(stored.adminRequired)
    }
  })

  test('of another type is required nowhere; of the same type it stays as it is', () => {
    for (const _ of eachRound(500)) {
      const [before, after] = [randomField(), randomField()]
      const saved = savedAs(before, after)
      const isRequired = [saved.adminRequired, saved.profileRequired, saved.integrationRequired]
      if (before.fieldType !== after.fieldType) expect(isRequired).toEqual([false, false, false])
      else expect(saved).toEqual(withImplied(after))
    }
  })

  test('has only changes that its level allows, and each level allows less than the one below', () => {
    for (const _ of eachRound(500)) {
      const [systemic, after] = [chance(), randomField()]
      const before = { ...randomField(), systemic, immutable: false }
      const lockedByLevel = [0, 1, 2, 3, 4].map((actionsAccess) => lockedChanges({ ...before, actionsAccess }, after))
      for (const [level, names] of lockedByLevel.entries())
        for (const name of lockedByLevel[level - 1] ?? []) expect(names).toContain(name)
      // what a person needs to sign in keeps its kind, at any level
      if (systemic)
        for (const name of ['code', 'fieldType', 'unique', 'multiple', 'subtype', 'pattern'] as const)
          expect(lockedByLevel[0]?.includes(name)).toBe(before[name] !== after[name])
      if (!systemic) expect(lockedByLevel[0]).toEqual([])
      expect(lockedByLevel[2]?.includes('profileVisible')).toBe(before.profileVisible !== after.profileVisible)
      expect(lockedByLevel[2]?.includes('profileRequired')).toBe(false)
      expect(lockedByLevel[3]?.includes('profileRequired')).toBe(before.profileRequired !== after.profileRequired)
      expect(lockedChanges({ ...before, actionsAccess: 4 }, { ...before })).toEqual([])
      expect(lockedParts({ systemic, immutable: chance(), actionsAccess: 4 + random(3) })).toBe('all')
      // what is immutable keeps its code and type, at any level
      const fixed = { ...before, systemic: false, immutable: true, actionsAccess: random(5) }
      for (const name of ['code', 'fieldType'] as const)
        expect(lockedChanges(fixed, after).includes(name)).toBe(before[name] !== after[name])
    }
  })
})

test('an item keeps its code, and those of a shipped field neither come nor go', () => {
  const items = [
    { id: '1', code: 'man' },
    { id: '2', code: 'woman' },
  ]
  const field = { ...randomField(), fieldType: 'dropbox' as const, items }
  const ownField = { ...field, systemic: false, immutable: false, actionsAccess: 0 }
  expect(lockedChanges(ownField, { ...field, items: [{ id: '2', code: 'lady' }] })).toEqual(['items.0.code'])
  expect(lockedChanges(ownField, { ...field, items: [...items].reverse() })).toEqual([])
  const base = { ...field, systemic: true, immutable: false, actionsAccess: 1 }
  expect(lockedChanges(base, { ...field, items: [...items].reverse() })).toEqual([])
  expect(lockedChanges(base, { ...field, items: items.slice(1) })).toEqual(['items'])
  expect(lockedChanges(base, { ...field, items: [...items, { id: '3', code: 'x' }] })).toEqual(['items'])
})

test('an order names each object once', () => {
  const order = (...ids: string[]) => ids.map((id) => ({ id }))
  expect(isWholeOrder(['a', 'b'], order('b', 'a'))).toBe(true)
  for (const wrong of [order('a'), order('a', 'a'), order('a', 'c'), order('a', 'b', 'c')])
    expect(isWholeOrder(['a', 'b'], wrong)).toBe(false)
})

test('each repeated id and code of items is named at its own row, however many there are', () => {
  const item = { value: 'Вариант' }
  const id = '00000000-0000-4000-8000-000000000001'
  const items = [
    { ...item, id, code: 'a' },
    { ...item, code: 'b' },
    { ...item, code: 'a' },
    { ...item, id, code: 'c' },
    { ...item, code: 'a' },
  ]
  const body = { type: 'users', subtype: 'personal', code: 'list', title: 'Список', fieldType: 'dropbox' }
  const faultsOf = (given: unknown[]) =>
    createDynamicField.body
      ?.safeParse({ ...body, items: given })
      .error?.issues.map(({ path, message }) => [path.join('.'), message])
  expect(faultsOf(items)).toEqual([
    ['items.3.id', 'errorDuplicateItem'],
    ['items.2.code', 'errorDuplicateItem'],
    ['items.4.code', 'errorDuplicateItem'],
  ])
  const many = Array.from({ length: 10_000 }, (_, at) => ({ ...item, code: `c${at}` }))
  expect(faultsOf(many)).toEqual([['items', 'errorTooMany']])
})
