import { expect, test } from 'vitest'
import { partsOfWhole } from '@/lib/directory-sync/provider-sign-in/whole-name'

const parts = (firstName: string, middleName: string, lastName: string) => ({ firstName, middleName, lastName })

test.each([
  ['Иван Петров', parts('Иван', '', 'Петров'), true],
  [' Иван\u00a0  Петров ', parts('Иван', '', 'Петров'), true],
  ['Anna Maria Smith', parts('Anna', 'Maria', 'Smith'), true],
  ['Вера Ивановна Входова', parts('Вера', 'Ивановна', 'Входова'), false],
  ['Входова Вера Ивановна', parts('Вера', 'Ивановна', 'Входова'), false],
  // with two words it may be a last name
  ['Роман Абрамович', parts('Роман', '', 'Абрамович'), true],
  ['Роман Аркадьевич Абрамович', parts('Роман', 'Аркадьевич', 'Абрамович'), false],
  ['Петров, Иван Ильич', parts('Иван', 'Ильич', 'Петров'), false],
  ['王 小明', parts('小明', '', '王'), false],
])('the parts of the name %s', (name, expected, isGuess) => {
  expect(partsOfWhole(name, undefined)).toEqual({ parts: expected, isGuess })
})

test('a language may say that the family name is first', () => {
  const expected = { parts: parts('János', '', 'Nagy'), isGuess: false }
  for (const locale of ['hu', 'hu-HU', 'HU_hu']) expect(partsOfWhole('Nagy János', locale)).toEqual(expected)
  expect(partsOfWhole('Nagy János', 'human')?.isGuess).toBe(true)
})

test.each(['', 'Мадонна', ', ', 'Петров,'])('there is nothing to part in “%s”', (name) => {
  expect(partsOfWhole(name, 'ru')).toBeNull()
})
