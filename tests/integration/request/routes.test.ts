import { describe, expect, test } from 'vitest'
import { restMatch } from '@/lib/request/rest-registry'
import { contracts } from '@/lib/wiring/contracts'
import { endpointsOf } from '@/lib/wiring/contracts.generated'
import { describeBadInput } from '../../factories/bad-input'
import { shardOf } from '../../factories/shards'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

describe('contracts and endpoints', () => {
  test('each contract has an endpoint in its slice, which its method and path find', async () => {
    for (const contract of contracts) {
      const path = `/api/v1/platform${contract.path}`.replace(/\{\w+\}/g, 'x%20y')
      const endpoint = restMatch(contract.method, path)?.call
      if (endpoint?.contract !== contract)
        throw new Error(`${contract.method} ${path} finds ${endpoint?.contract.name}`)
      const { default: endpoints } = await endpointsOf[endpoint.slice]()
      expect(endpoints.get(contract.name)?.contract, contract.name).toBe(contract)
    }
    const served = await Promise.all(Object.values(endpointsOf).map(async (load) => (await load()).default.size))
    expect(served.reduce((sum, size) => sum + size, 0)).toBe(contracts.length)
  })
  test('names are unique', () => {
    const names = contracts.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})

describeBadInput(shardOf(contracts, import.meta.filename))
