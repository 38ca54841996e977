import { expect, test } from 'vitest'
import { casesOf } from '@/app/platform/(admin)/setting/libraries/_ui/cases-of-text'
import { hasCases } from '@/app/platform/(admin)/setting/libraries/_ui/has-cases'

const minutes = '{count, plural, one {# минуту} few {# минуты} many {# минут} other {# минуты}}'

test('a text with a plural says one sentence for each form of its language, other names stay in braces', () => {
  expect(casesOf(`{name}, код действует ${minutes}.`, 'ru')).toEqual([
    { when: '1', says: '{name}, код действует 1 минуту.' },
    { when: '2', says: '{name}, код действует 2 минуты.' },
    { when: '5', says: '{name}, код действует 5 минут.' },
  ])
  expect(casesOf('{count, plural, =0 {none} one {# minute} other {# minutes}}', 'en')).toEqual([
    { when: '0', says: 'none' },
    { when: '1', says: '1 minute' },
    { when: '2', says: '2 minutes' },
  ])
})

test('a text that chooses by a word says one sentence for each word, tags keep what is in them', () => {
  expect(casesOf('{kind, select, email {The <b>address</b>} other {Something}} — {project}', 'en')).toEqual([
    { when: 'email', says: 'The address — {project}' },
    { when: 'other', says: 'Something — {project}' },
  ])
})

test('a text without cases, or one that is being typed, has none', () => {
  for (const text of ['', '{name}, good day', '{count, plural, one {# minute', '{count, plural, one {#}}'])
    expect(casesOf(text, 'en'), text).toEqual([])
  expect(hasCases(minutes)).toBe(true)
  expect(hasCases('{name}, select, good day')).toBe(false)
})

test('a text that chooses by a hundred words has as many cases as are shown', () => {
  const text = Array.from({ length: 100 }, (_, n) => `{w${n}, select, a {1} other {2}}`).join('')
  const cases = casesOf(`${text}${minutes}`, 'ru')
  expect(cases).toHaveLength(8)
  expect(new Set(cases.map(({ when }) => when)).size).toBe(8)
})
