import { describe, expect, test } from 'vitest'
import { compare, isSameValue, merged, type Values } from '@/components/form/conflict'
import { caseNumbers, eachRound } from '../../factories/random-cases'

const random = caseNumbers(38)

describe('values that are the same to a person', () => {
  test.each([
    [null, ''],
    [undefined, ''],
    [' a ', 'a'],
    [[{ ip: '1', comment: '' }], [{ comment: null, ip: '1' }]],
    [0, 0],
  ])('%j and %j', (one, other) => expect(isSameValue(one, other)).toBe(true))
  test.each([
    [false, ''],
    [0, ''],
    ['0', 0],
    [[], ''],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
  ])('not %j and %j', (one, other) => expect(isSameValue(one, other)).toBe(false))
})

describe('a conflict', () => {
  const base = { name: 'Офис', comment: '', ips: [{ ip: '10.0.0.0/8', comment: '' }] }

  test('asks about a field that both changed, takes the other’s changes, and keeps what only the form changed', () => {
    const mine = { ...base, name: 'Мой офис', ips: [] }
    const conflict = compare(base, mine, { values: { ...base, name: 'Их офис', comment: 'x' }, hidden: [] })
    expect(conflict.differences).toEqual([
      { name: 'name', theirs: 'Их офис', mine: 'Мой офис', both: true, hidden: false },
      { name: 'comment', theirs: 'x', mine: '', both: false, hidden: false },
    ])
    expect(merged(mine, conflict)).toEqual({ name: 'Мой офис', comment: 'x', ips: [] })
  })
  test('has no questions if both saved the same', () => {
    const mine = { ...base, name: ' Новый ' }
    const conflict = compare(base, mine, { values: { ...base, name: 'Новый' }, hidden: [] })
    expect(conflict.differences).toEqual([])
    expect(merged(mine, conflict).name).toBe('Новый')
  })
  test('stores nothing as null and shows it as an empty text', () => {
    const conflict = compare({ nameEn: 'Kiosk' }, { nameEn: 'Kiosk' }, { values: { nameEn: null }, hidden: [] })
    expect(conflict.theirs).toEqual({ nameEn: '' })
  })
  test('shows only that a secret changed', () => {
    const conflict = compare({ secret: '' }, { secret: 'typed' }, { values: {}, hidden: ['secret'] })
    expect(conflict.differences).toEqual([{ name: 'secret', theirs: '', mine: 'typed', both: true, hidden: true }])
    expect(merged({ secret: 'typed' }, conflict)).toEqual({ secret: 'typed' })
  })

  test('loses nothing, whatever the three sides contain', () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    const side = (): Values => Object.fromEntries(names.map((name) => [name, ['', 'x', 'y', 'z'][random(4)]]))
    for (const _ of eachRound(2000)) {
      const [read, mine, stored] = [side(), side(), side()]
      const conflict = compare(read, mine, { values: stored, hidden: [] })
      const result = merged(mine, conflict)
      for (const name of names) {
        const asked = conflict.differences.find((one) => one.name === name)
        const [mineChanged, theirsChanged] = [mine[name] !== read[name], stored[name] !== read[name]]
        // the input stays in the form until the person chooses
        if (mineChanged) expect(result[name]).toBe(mine[name])
        else expect(result[name]).toBe(stored[name])
        // nobody overwrites the other person's change without a choice
        if (mineChanged && theirsChanged && mine[name] !== stored[name]) expect(asked?.both).toBe(true)
        if (result[name] !== stored[name] && theirsChanged) expect(asked).toBeDefined()
        if (asked) expect([asked.mine, asked.theirs]).toEqual([mine[name], stored[name]])
      }
    }
  })
})
