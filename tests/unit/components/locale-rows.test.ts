import { describe, expect, test } from 'vitest'
import { compare, merged } from '@/components/form/conflict'
import { countErrors } from '@/components/form/field-errors'
import { whereItDiffers } from '@/components/form/locale-rows'
import { caseNumbers, eachRound } from '../../factories/random-cases'

const random = caseNumbers(22)
const row = (localeId: string, text: string) => ({ localeId, text })

describe('a conflict over texts by language', () => {
  test('asks about the language that both changed, and takes the other person’s language', () => {
    const base = { locales: [row('ru', 'а'), row('en', 'a')] }
    const mine = { locales: [row('ru', 'б'), row('en', 'a')] }
    const stored = { locales: [row('ru', 'в'), row('en', 'b'), row('kk', 'k')] }
    const conflict = compare(base, mine, { values: stored, hidden: [] })
    expect(conflict.differences.map(({ name, both }) => [name, both])).toEqual([
      ['locales/ru', true],
      ['locales/en', false],
      ['locales/kk', false],
    ])
    expect(merged(mine, conflict)).toEqual({ locales: [row('ru', 'б'), row('en', 'b'), row('kk', 'k')] })
  })
  test('a language that somebody removed goes, unless the form changed it', () => {
    const base = { locales: [row('ru', 'а'), row('en', 'a')] }
    const stored = { locales: [row('ru', 'а')] }
    const untouched = compare(base, base, { values: stored, hidden: [] })
    expect(merged(base, untouched)).toEqual(stored)
    const mine = { locales: [row('ru', 'а'), row('en', 'b')] }
    const conflict = compare(base, mine, { values: stored, hidden: [] })
    expect(conflict.differences).toEqual([
      { name: 'locales/en', theirs: undefined, mine: row('en', 'b'), both: true, hidden: false },
    ])
    expect(merged(mine, conflict)).toEqual(mine)
  })

  test('nothing is lost or overwritten unasked, whatever three people have', () => {
    const ids = ['ru', 'en', 'kk']
    const side = () => ids.flatMap((id) => (random(3) > 0 ? [row(id, 'xyz'[random(3)] ?? '')] : []))
    for (const _ of eachRound(3000)) {
      const [read, mine, stored] = [side(), side(), side()]
      if (read.length + mine.length + stored.length === 0) continue
      const conflict = compare({ rows: read }, { rows: mine }, { values: { rows: stored }, hidden: [] })
      const result = merged({ rows: mine }, conflict).rows as typeof mine
      for (const id of ids) {
        const [textBefore, ownText, other, now] = [read, mine, stored, result].map(
          (rows) => rows.find(({ localeId }) => localeId === id)?.text,
        )
        if (ownText !== textBefore) expect(now).toBe(ownText)
        else expect(now).toBe(other)
        const asked = conflict.differences.some(({ name, both }) => name === `rows/${id}` && both)
        expect(asked).toBe(ownText !== textBefore && other !== textBefore && ownText !== other)
      }
      expect(new Set(result.map(({ localeId }) => localeId)).size).toBe(result.length)
    }
  })
})

test('of a long text the part is shown in which it differs', () => {
  const long = 'слово '.repeat(100)
  expect(whereItDiffers('короткий', long)).toBe('короткий')
  const excerpt = whereItDiffers(`${long}конец.${long}`, `${long}точка.${long}`)
  expect(excerpt).toContain('конец')
  expect(excerpt.length).toBeLessThan(160)
  expect(whereItDiffers(long, `${long}ещё`)).toMatch(/^….+слово$/)
})

test('errors are counted at any depth, and elements are not searched for them', () => {
  const errors = {
    name: { message: 'a', ref: { message: 'no' } },
    settings: { links: [undefined, { text: { message: 'b' } }] },
  }
  expect(countErrors(errors)).toBe(2)
  expect(countErrors(undefined)).toBe(0)
})
