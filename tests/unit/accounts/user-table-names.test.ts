import { expect, test } from 'vitest'
import { folded } from '@/lib/accounts/user-table/cells'
import { plainHead } from '@/lib/accounts/user-table/columns'
import { contractorsByName, rolesByName } from '@/lib/accounts/user-table/names'

// Names in files are compared as searches compare texts (docs/rules/pages.md#how-texts-are-found).

const role = (name: string) => ({ id: `id ${name}`, code: null, name, nameEn: null }) as never

test.each([
  ['O’Brien', "O'Brien"],
  ['ООО «Ромашка»', 'ооо "ромашка"'],
  ['Отдел – склад', 'отдел - склад'],
  ['Е\u0308лкин', ' елкин '],
  ['Роль\u00a0 два', 'роль два'],
  ['Ро\u00adль\u200b', 'роль'],
])('what is called %s is found as %s, and so is a column', (name, typed) => {
  expect(rolesByName([role(name)])(typed)).toHaveLength(1)
  expect(contractorsByName([role(name)])(typed)).toHaveLength(1)
  expect(folded(typed)).toBe(folded(name))
  expect(plainHead(typed)).toBe(plainHead(name))
})

test('what is called exactly so goes before what is alike', () => {
  const roles = [role('Край'), role('Краи')]
  expect(rolesByName(roles)('Краи')).toEqual([roles[1]])
})
