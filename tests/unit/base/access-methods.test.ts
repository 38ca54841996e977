import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { areas, systemicMethods, withImplied } from '@/lib/base/access/access-methods'
import { holdsMethod } from '@/lib/base/context/access'

test('every area has a method to read and one to write, and there are five more methods', () => {
  expect(new Set(systemicMethods).size).toBe(areas.length * 2 + 5)
  for (const area of areas) expect(systemicMethods).toEqual(expect.arrayContaining([`${area}.read`, `${area}.write`]))
})

test('write implies read of the same area only', () => {
  expect([...withImplied(['domains.write'])].sort()).toEqual(['domains.read', 'domains.write'])
  expect([...withImplied(['domains.read'])]).toEqual(['domains.read'])
})

test('reading or writing users implies usersAccess', () => {
  expect(withImplied(['users.read']).has('usersAccess')).toBe(true)
  expect(withImplied(['users.write']).has('usersAccess')).toBe(true)
  expect(withImplied(['roles.write']).has('usersAccess')).toBe(false)
})

describe('whether a person holds a method', () => {
  const method = { id: 'id', code: 'read', kind: 'application' }
  const systemic = { id: 'id', code: 'users.read', kind: 'systemic' }
  const holder = (methods: string[], methodIds: string[]) => ({
    methods: new Set(methods),
    methodIds: new Set(methodIds),
  })

  test('is decided by the code of a systemic method, and by the id of an application’s method', () => {
    expect(holdsMethod(holder(['users.read'], []), 'users.read')).toBe(true)
    expect(holdsMethod(holder(['users.read'], []), systemic)).toBe(true)
    expect(holdsMethod(holder([], ['id']), systemic)).toBe(false)
    expect(holdsMethod(holder([], ['id']), method)).toBe(true)
    expect(holdsMethod(holder(['read'], []), method)).toBe(false)
    expect(holdsMethod({ methods: new Set<string>() }, method)).toBe(false)
  })

  test('is decided only by holdsMethod', () => {
    const asking = ['app', 'bin', 'components', 'lib']
      .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
      .filter((file) => /\.tsx?$/.test(file) && /\bmethod(s|Ids)\??\.has\(/.test(readFileSync(file, 'utf8')))
    // a screen can be opened by method codes alone, also if nobody is known
    expect(asking.sort()).toEqual(['lib/base/context/access.ts', 'lib/base/navigation/screens.ts'])
  })
})
