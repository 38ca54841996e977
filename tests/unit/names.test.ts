import { describe, expect, test } from 'vitest'
import { fioOf, greetingFrom, namesFrom, tidyName } from '@/lib/people/users/names'

describe('a name typed into one field', () => {
  test.each([
    ['ru', 'Ковалёва Ольга Игоревна', ['Ковалёва', 'Ольга', 'Игоревна']],
    ['ru', 'Ковалёва Ольга', ['Ковалёва', 'Ольга', '']],
    ['ru', 'Алиев Гасан Мамед оглы', ['Алиев', 'Гасан', 'Мамед оглы']],
    ['en', 'Olga Kovaleva', ['Kovaleva', 'Olga', '']],
    ['en', 'John Fitzgerald Kennedy', ['Kennedy', 'John', 'Fitzgerald']],
    ['ru', 'Ольга', ['', 'Ольга', '']],
    ['en', '', ['', '', '']],
  ])('is taken apart as its language writes it: %s %s', (locale, fio, [lastName, firstName, middleName]) => {
    expect(namesFrom({ fio }, { useUserFio: true, locale })).toEqual({ fio, lastName, firstName, middleName })
  })

  test('three fields make a full name, and a fourth one doesn’t count', () => {
    const typed = { lastName: ' Ковалёва ', firstName: 'Ольга', fio: 'Кто-то' }
    expect(namesFrom(typed, { useUserFio: false, locale: 'ru' })).toEqual({
      lastName: 'Ковалёва',
      firstName: 'Ольга',
      middleName: '',
      fio: 'Ковалёва Ольга',
    })
    expect(fioOf({ lastName: '', firstName: 'Ольга', middleName: '' })).toBe('Ольга')
  })
})

describe('a name as it is stored', () => {
  test.each([
    ['  Анна \t Мария\u00a0 ', 'Анна Мария'],
    ['\u202eанна\u202c', 'анна'],
    ['Ан\u00adна\ufeff', 'Анна'],
    ['\u200b', ''],
    // composed, so that one name has one spelling
    ['Алексе\u0438\u0306', 'Алексей'],
    // Persian needs its joiner
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ["O'Brien-Smith", "O'Brien-Smith"],
    [undefined, ''],
  ])('%j is %j', (typed, stored) => expect(tidyName(typed)).toBe(stored))
})

describe('a mail greets', () => {
  test.each(['Ольга', 'Анна Мария', 'Jean-Luc', "O'Brien", 'Łukasz', 'नीता'])('%s by name', (firstName) =>
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
  ])('%s without one', (firstName) => expect(greetingFrom({ firstName })).toBe(''))
})
