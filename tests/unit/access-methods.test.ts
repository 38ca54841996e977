import { expect, test } from 'vitest'
import { areas, systemicMethods, withImplied } from '@/lib/kernel/access-methods'

test('every area has a method to read and one to write, beside the five that have names', () => {
  expect(new Set(systemicMethods).size).toBe(areas.length * 2 + 5)
  for (const area of areas) expect(systemicMethods).toEqual(expect.arrayContaining([`${area}.read`, `${area}.write`]))
})

test('write implies read of the same area alone', () => {
  expect([...withImplied(['domains.write'])].sort()).toEqual(['domains.read', 'domains.write'])
  expect([...withImplied(['domains.read'])]).toEqual(['domains.read'])
})

test('whoever may read users has usersAccess, by way of write too', () => {
  expect(withImplied(['users.read']).has('usersAccess')).toBe(true)
  expect(withImplied(['users.write']).has('usersAccess')).toBe(true)
  expect(withImplied(['roles.write']).has('usersAccess')).toBe(false)
})
