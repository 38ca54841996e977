import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type SchemaChoice, schemaFor, simulatedSchema } from '@/lib/access/authentication-schemas/choice'

type Counted = SchemaChoice & { usersCount: number }
const schema = (id: string, changes: Partial<Counted> = {}): Counted => ({
  id,
  base: false,
  firstFactor: ['credentials'],
  secondFactor: [],
  roleIds: [],
  usersCount: 0,
  ...changes,
})
const staff = schema('staff', { roleIds: ['r1'], usersCount: 300 })
const partners = schema('partners', { roleIds: ['r1', 'r2'], usersCount: 100 })
const base = schema('base', { base: true, usersCount: 100 })
const schemas = [staff, partners, base]

describe('the schema of a user', () => {
  test('is their own, whatever their roles', () => expect(schemaFor(schemas, 'partners', ['r1'])).toBe(partners))
  test('isn’t their own if that is disabled', () => expect(schemaFor(schemas, 'gone', ['r1'])).toBe(staff))
  test('is the highest of those of their roles', () => expect(schemaFor(schemas, null, ['r2', 'r1'])).toBe(staff))
  test('is the base one without any', () => expect(schemaFor(schemas, null, ['r9'])).toBe(base))
})

describe('the schema shown for an unknown identifier', () => {
  const hash = (value: string) => createHmac('sha256', 'key').update(value).digest('base64url')
  test('is the same each time', () => {
    for (const name of ['anna', 'boris', 'vera'])
      expect(simulatedSchema(schemas, hash(name))).toBe(simulatedSchema(schemas, hash(name)))
  })
  test('is distributed like the real ones', () => {
    const counts = { staff: 0, partners: 0, base: 0 }
    for (let n = 0; n < 5000; n++) counts[simulatedSchema(schemas, hash(`name ${n}`)).id as keyof typeof counts]++
    expect(counts.staff / 5000).toBeCloseTo(0.6, 1)
    expect(counts.partners / 5000).toBeCloseTo(0.2, 1)
    expect(counts.base / 5000).toBeCloseTo(0.2, 1)
  })
  test('stays the same for nearly everybody when a person is added', () => {
    const joined = [staff, schema('partners', { roleIds: ['r1', 'r2'], usersCount: 101 }), base]
    let changed = 0
    for (let n = 0; n < 2000; n++)
      if (simulatedSchema(schemas, hash(`name ${n}`)).id !== simulatedSchema(joined, hash(`name ${n}`)).id) changed++
    expect(changed).toBeLessThan(20)
  })
  test('is the base one without users', () =>
    expect(simulatedSchema([schema('a'), schema('b', { base: true })], hash('x')).id).toBe('b'))
})
