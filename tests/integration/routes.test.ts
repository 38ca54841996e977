import { describe, expect, test } from 'vitest'
import { contracts } from '@/lib/context/contracts'
import { describeBadInput } from '../factories/bad-input'
import { routeFileOf, routeFiles } from '../factories/routes'
import { shardOf } from '../factories/shards'
import { useTestDatabase } from '../setup/database'

useTestDatabase()

describe('contracts and route files', () => {
  test('each call has its handler', () => {
    for (const { path, method } of contracts)
      expect(routeFiles[routeFileOf({ path })]?.[method], `${method} ${path}`).toBeTypeOf('function')
  })
  test('each handler has its contract', () => {
    for (const [file, module] of Object.entries(routeFiles))
      for (const method of Object.keys(module))
        expect(
          contracts.some((contract) => routeFileOf(contract) === file && contract.method === method),
          `${method} ${file}`,
        ).toBe(true)
  })
  test('names are unique', () => {
    const names = contracts.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})

describeBadInput(shardOf(contracts, import.meta.filename))
