import { expect, test } from 'vitest'
import type { z } from 'zod'
import { Id } from '@/lib/base/contracts/contract'
import { contracts } from '@/lib/wiring/contracts'
import { sampleParams, wholeSample } from '../../factories/samples'

const id = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi
const raised = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replace(id, (uuid) => uuid.toUpperCase())
  if (Array.isArray(value)) return value.map(raised)
  if (typeof value !== 'object' || value === null || value instanceof File) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, raised(each)]))
}
/** Each text of a value that is an id and nothing else. */
function idsIn(value: unknown): string[] {
  if (typeof value === 'string') return Id.safeParse(value).success ? [value] : []
  if (typeof value !== 'object' || value === null || value instanceof File) return []
  return Object.values(value).flatMap(idsIn)
}

test('an id that is typed in capitals is the same id to every call', () => {
  let idCount = 0
  const other: string[] = []
  for (const contract of contracts)
    for (const [part, schema, sample] of [
      ['params', contract.params, sampleParams(contract)],
      ['query', contract.query, wholeSample(contract.query)],
      ['body', contract.body, wholeSample(contract.body)],
    ] as [string, z.ZodType | undefined, unknown][]) {
      const read = schema?.safeParse(raised(sample))
      if (!read?.success) continue
      for (const id of idsIn(read.data)) {
        idCount++
        // where any other text may stand, capitals are the person's
        const asText = JSON.parse(JSON.stringify(raised(sample)).replaceAll(id, 'abc'))
        if (id !== id.toLowerCase() && !schema?.safeParse(asText).success) other.push(`${contract.name} ${part} ${id}`)
      }
    }
  expect(idCount).toBeGreaterThan(100)
  expect(other).toEqual([])
})
