import { expect, test } from 'vitest'
import { fieldErrors } from '@/lib/base/contracts/issues'
import { createAccessRequests } from '@/lib/companies/access-requests/contract'

const faultsOf = (...companies: object[]) => {
  const { error } = createAccessRequests.body?.safeParse({ companies }) ?? {}
  return error ? fieldErrors(error).map(({ field, code }) => `${field} ${code}`) : []
}

test('what a row lacks is said together with what is wrong in it', () => {
  expect(faultsOf({ inn: '12' }).toSorted()).toEqual(['companies.0.inn errorInn', 'companies.0.name errorEmpty'])
  expect(faultsOf({ name: 'ООО «Вектор»', kpp: '1' }).toSorted()).toEqual([
    'companies.0.inn errorEmpty',
    'companies.0.kpp errorKpp',
  ])
  expect(faultsOf({ name: 'ООО «Вектор»', inn: '7701123586' }, {}, { roles: ['x'] })).toEqual(
    expect.arrayContaining(['companies.2.name errorEmpty', 'companies.2.inn errorEmpty']),
  )
})

test('an inn of ten digits needs a kpp, however it is written, and one of twelve doesn’t', () => {
  const name = 'ООО «Вектор»'
  expect(faultsOf({ name, inn: '7701123586' })).toEqual(['companies.0.kpp errorEmpty'])
  expect(faultsOf({ name, inn: ' 77 0112 3586 ', kpp: '  ' })).toEqual(['companies.0.kpp errorEmpty'])
  expect(faultsOf({ inn: '7701123586' }).toSorted()).toEqual([
    'companies.0.kpp errorEmpty',
    'companies.0.name errorEmpty',
  ])
  expect(faultsOf({ name, inn: '7701123586', kpp: '7701 0a 001' })).toEqual([])
  expect(faultsOf({ name, inn: '500100732259' })).toEqual([])
})

test('an empty row is none', () => {
  expect(faultsOf({ name: 'ООО «Вектор»', inn: '7701123586', kpp: '770101001' }, {}, { name: ' ' })).toEqual([])
})

test.each([null, 7, 'x', [], { roles: null }, { name: null, inn: 7 }, { roles: [null], inn: '12' }])(
  'what is no row is refused by its field: %j',
  (row) => {
    const faults = faultsOf(row as object)
    expect(faults.length).toBeGreaterThan(0)
    expect(faults.every((fault) => fault.startsWith('companies.0'))).toBe(true)
  },
)
