import { describe, expect, test } from 'vitest'
import { changesOf } from '@/lib/base/audit/audit'
import { combinations, json, list, number, reference, references, secret, text } from '@/lib/base/audit/entity'
import { isSame, type Plain } from '@/lib/base/audit/values'
import { diffOf, idsIn } from '@/lib/operations/history/diff'
import type { Shown } from '@/lib/operations/history/shown'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'

const side = (value: Plain, length?: number) => ({ value, ...(length ? { length } : {}) })
const plainOf = ({ value }: Shown): Plain => value

describe('what differs between two values', () => {
  test('of a text: both sides, and nothing where there was nothing', () =>
    expect(diffOf(text('x'), side(null), side('a'))).toEqual({
      kind: 'value',
      previous: null,
      current: { as: 'text', value: 'a' },
    }))

  test('of a list: what was taken and added, and how many stayed', () =>
    expect(diffOf(references('x', 'roles'), side(['a', 'b', 'c']), side(['c', 'd', 'a']))).toEqual({
      kind: 'list',
      removed: [{ as: 'reference', value: 'b' }],
      added: [{ as: 'reference', value: 'd' }],
      kept: 2,
      moved: false,
    }))

  test('of equal items as many as there are more', () =>
    expect(diffOf(list('x'), side(['a', 'a', 'b']), side(['a']))).toMatchObject({
      removed: [{ value: 'a' }, { value: 'b' }],
      added: [],
      kept: 1,
    }))

  test('of a list in another order: the order alone', () =>
    expect(diffOf(list('x'), side([1, 2]), side([2, 1]))).toMatchObject({ moved: true, removed: [], added: [] }))

  test('of a list that was created: each of its items', () =>
    expect(diffOf(list('x'), side(null), side(['a']))).toMatchObject({ added: [{ value: 'a' }], kept: 0 }))

  test('a value that was cut says how long it is, whatever its kind', () =>
    expect(diffOf(list('x'), side(['a']), side('["a", "b', 9_000_000))).toMatchObject({
      kind: 'value',
      current: { as: 'cut', length: 9_000_000 },
    }))

  test.each([
    [side('***'), side('***'), 'changed'],
    [side(null), side('***'), 'set'],
    [side('***'), side(null), 'removed'],
    [side('stored before it was a secret'), side('and another'), 'changed'],
  ] as const)('a secret is never shown: %j, %j', (previous, current, act) =>
    expect(diffOf(secret('x'), previous, current)).toEqual({ kind: 'secret', act }),
  )

  test('a text that somebody wrote as a mask is a text; without a declaration it is taken for one', () => {
    expect(diffOf(text('x'), side('a'), side('***'))).toMatchObject({ kind: 'value', current: { value: '***' } })
    expect(diffOf(undefined, side('***'), side('***'))).toEqual({ kind: 'secret', act: 'changed' })
  })

  test('a cut value with secret parts is not shown at all', () =>
    expect(diffOf(json<{ key: string }>('x', { key: true }), side(null), side('{"key": "plain', 100_000))).toEqual({
      kind: 'secret',
      act: 'set',
    }))
})

describe('over random values', () => {
  const random = caseNumbers(39)
  const share = () => random(1_000) / 1_000
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
  const plain = (depth = 0): Plain => {
    const kind = share()
    if (depth > 2 || kind < 0.5) return pick([null, true, false, 0, -1.5, '', 'a', '***', 'ё', 12])
    const many = (make: () => Plain) => Array.from({ length: random(4) }, make)
    if (kind < 0.8) return many(() => plain(depth + 1))
    return Object.fromEntries(many(() => plain(depth + 1)).map((value, at) => [`m${at}`, value]))
  }

  test('what was recorded is what is shown', () => {
    const entity = { name: 'applications', fields: { a: json<object>('x') } } as const
    const seen = { value: 0, list: 0, secret: 0, nested: 0 }
    for (const _ of eachRound(8_000)) {
      const change = changesOf(entity, { a: plain() }, { a: plain() }).get('a')
      if (!change) continue
      const { previous, current } = change
      const diff = diffOf(entity.fields.a, side(previous), side(current))
      seen[diff.kind]++
      if (diff.kind === 'value') {
        expect(diff.previous ? plainOf(diff.previous) : null).toEqual(previous)
        expect(diff.current ? plainOf(diff.current) : null).toEqual(current)
      }
      if (diff.kind === 'list') {
        // with what stayed, what was taken is what was, and what was added is what is
        const sides = [
          { all: Array.isArray(previous) ? previous : [], shown: diff.removed },
          { all: Array.isArray(current) ? current : [], shown: diff.added },
        ]
        for (const { all, shown } of sides) {
          expect(shown.length + diff.kept).toBe(all.length)
          for (const one of shown) expect(all.some((each) => isSame(each, plainOf(one)))).toBe(true)
        }
      }
    }
    expect(seen.value).toBeGreaterThan(shareOf(1_000))
    expect(seen.list).toBeGreaterThan(shareOf(500))
    // tests/unit/operations/history-nested.test.ts looks into them
    expect(seen.nested).toBeGreaterThan(shareOf(500))
    expect(seen.secret).toBe(0)
  })

  test('no part that is declared a secret is in what is shown', () => {
    const hidden = 'the hidden part'
    const field = json<{ key: string }>('x', { key: true, '*': { key: true } } as object)
    for (const _ of eachRound(1_000)) {
      const value = (): Plain => pick([[{ key: hidden }, plain()], { key: [hidden], more: { key: hidden } }])
      expect(JSON.stringify(diffOf(field, side(value()), side(value())))).not.toContain(hidden)
    }
  })
})

test('ids of what a value refers to are found in references, in lists of them and in their members', () => {
  expect(idsIn(reference('x', 'users'), side('a'))).toEqual([['users', 'a']])
  expect(idsIn(references('x', 'roles'), side(['a', 'b']))).toEqual([
    ['roles', 'a'],
    ['roles', 'b'],
  ])
  const roles = combinations<{ roleId: string; organizationId: string }>('x', {
    roleId: 'roles',
    organizationId: 'organizations',
  })
  expect(idsIn(roles, side([{ roleId: 'a', organizationId: 'b', more: 'c' }, 'no member', null]))).toEqual([
    ['roles', 'a'],
    ['organizations', 'b'],
  ])
  expect(idsIn(number('x'), side(1))).toEqual([])
  expect(idsIn(reference('x', 'users'), side('cut', 5000))).toEqual([])
})
