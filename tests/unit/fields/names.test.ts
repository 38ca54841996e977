import { describe, expect, test } from 'vitest'
import { greetingFrom, namesAfter, namesFrom, tidyName } from '@/lib/fields/names'
import { caseNumbers, eachRound } from '../../factories/random-cases'

describe('a name typed into one field', () => {
  test.each([
    ['ru', 'Ковалёва Ольга Игоревна', ['Ковалёва', 'Ольга', 'Игоревна']],
    ['ru', 'Ковалёва Ольга', ['Ковалёва', 'Ольга', '']],
    ['ru', 'Алиев Гасан Мамед оглы', ['Алиев', 'Гасан', 'Мамед оглы']],
    ['en', 'Olga Kovaleva', ['Kovaleva', 'Olga', '']],
    ['en', 'John Fitzgerald Kennedy', ['Kennedy', 'John', 'Fitzgerald']],
    ['ru', 'Ольга', ['', 'Ольга', '']],
    ['en', '', ['', '', '']],
  ])('is split as its language writes it: %s %s', (locale, fio, [lastName, firstName, middleName]) => {
    expect(namesFrom({ fio }, locale)).toEqual({ fio, lastName, firstName, middleName })
  })
})

describe('a name in parts', () => {
  const parts = { lastName: ' Kovaleva ', firstName: 'Olga', middleName: 'Igorevna' }
  test.each([
    ['ru', 'Kovaleva Olga Igorevna'],
    ['en', 'Olga Igorevna Kovaleva'],
  ])('becomes a full name as its language writes it: %s', (locale, fio) =>
    expect(namesFrom(parts, locale)).toEqual({ lastName: 'Kovaleva', firstName: 'Olga', middleName: 'Igorevna', fio }),
  )

  test('wins over a full name; empty parts don’t', () => {
    expect(namesFrom({ lastName: 'Ким', firstName: 'Ян', fio: 'Кто-то Другой Совсем' }, 'ru')).toEqual({
      lastName: 'Ким',
      firstName: 'Ян',
      middleName: '',
      fio: 'Ким Ян',
    })
    expect(namesFrom({ lastName: ' ', firstName: '', fio: 'Ким Ян' }, 'ru')).toMatchObject({ lastName: 'Ким' })
  })

  test('of single words comes back from the full name that it made, in any language', () => {
    const random = caseNumbers(500)
    const words = ['Ким', 'Olga', "O'Brien", 'Жан-Люк', 'Łukasz', 'Анна', 'Smith', 'می‌خواهم']
    for (const round of eachRound(500)) {
      const [lastName = '', firstName = '', middle = ''] = words.map(() => words[random(words.length)])
      const names = { lastName, firstName, middleName: round % 2 ? middle : '' }
      for (const locale of ['ru', 'en']) {
        const made = namesFrom(names, locale)
        expect(namesFrom({ fio: made.fio }, locale)).toEqual(made)
      }
    }
  })
})

describe('a name as it is stored', () => {
  test.each([
    ['  Анна \t Мария\u00a0 ', 'Анна Мария'],
    ['\u202eанна\u202c', 'анна'],
    ['Ан\u00adна\ufeff', 'Анна'],
    ['\u200b', ''],
    // composed, so that a name has only one spelling
    ['Алексе\u0438\u0306', 'Алексей'],
    // Persian needs the joiner
    ['می\u200cخواهم', 'می\u200cخواهم'],
    // elsewhere it is invisible, and alone it would be an invisible name
    ['\u200dАнна\u200c \u200dМария', 'Анна Мария'],
    ['\u200d', ''],
    ['\u3164', ''],
    ["O'Brien-Smith", "O'Brien-Smith"],
    [undefined, ''],
  ])('%j becomes %j', (typed, stored) => expect(tidyName(typed)).toBe(stored))
})

describe('a mail greets', () => {
  test.each(['Ольга', 'Анна Мария', 'Jean-Luc', "O'Brien", 'Łukasz', 'नीता'])('%s with a name', (firstName) =>
    expect(greetingFrom({ firstName })).toBe(firstName),
  )
  test.each([
    '',
    'evil.example',
    'http://evil.example',
    'evil．example',
    '<b>Анна</b>',
    'a@b',
    '8 800 100-10-10',
    'Позвоните нам прямо сейчас',
    'я'.repeat(41),
  ])('%s without a name', (firstName) => expect(greetingFrom({ firstName })).toBe(''))
})

test('the name that an account has stays in both forms, whatever language sends it again', () => {
  const had = { fio: 'Popescu Andrei', lastName: 'Popescu', firstName: 'Andrei', middleName: '' }
  const { fio: _, ...parts } = had
  for (const locale of ['ru', 'en']) {
    expect(namesAfter({ fio: ' Popescu  Andrei' }, had, locale)).toEqual(had)
    expect(namesAfter(parts, had, locale)).toEqual(had)
    expect(namesAfter({ ...parts, middleName: 'Ion' }, had, locale)).toEqual(
      namesFrom({ ...parts, middleName: 'Ion' }, locale),
    )
    expect(namesAfter({ fio: 'Anna Orlova' }, had, locale)).toEqual(namesFrom({ fio: 'Anna Orlova' }, locale))
    expect(namesAfter({ fio: '' }, had, locale)).toEqual(namesFrom({}, locale))
    expect(namesAfter({ fio: 'Popescu Andrei' }, null, locale)).toEqual(namesFrom({ fio: 'Popescu Andrei' }, locale))
  }
})
