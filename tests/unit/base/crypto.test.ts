import { afterEach, expect, test, vi } from 'vitest'

const keyA = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4'
const keyB = 'Zz9Yy8Xx7Ww6Vv5Uu4Tt3Ss2Rr1Qq0Pp9Oo8Nn7Mm6Ll5Kk4'

async function withKeys(keys: string) {
  vi.resetModules()
  vi.stubEnv('SECRET_KEYS', keys)
  vi.stubEnv('PLATFORM_MODE', 'test')
  vi.stubEnv('PUBLIC_URL', 'http://localhost:3000')
  vi.stubEnv('DATABASE_URL', 'postgres://localhost/none')
  vi.stubEnv('REDIS_URL', 'mock:')
  return import('@/lib/base/crypto/encryption')
}
afterEach(() => vi.unstubAllEnvs())

test('a sealed value can be opened only for the same purpose and owner', async () => {
  const { encrypt, decrypt } = await withKeys(keyA)
  const encrypted = encrypt('messages', 'код 1234', 'row 1')
  expect(encrypted).not.toContain('1234')
  expect(decrypt('messages', encrypted, 'row 1')).toBe('код 1234')
  expect(() => decrypt('messages', encrypted, 'row 2')).toThrow()
  expect(() => decrypt('idempotency', encrypted, 'row 1')).toThrow()
  expect(() => decrypt('messages', `${encrypted.slice(0, -2)}AA`, 'row 1')).toThrow()
})

test('after a key rotation the newest key seals, older ones open, a removed one does not', async () => {
  const old = (await withKeys(keyA)).encrypt('messages', 'x')
  const both = await withKeys(`${keyB},${keyA}`)
  expect(both.decrypt('messages', old)).toBe('x')
  const fresh = both.encrypt('messages', 'y')
  const onlyNew = await withKeys(keyB)
  expect(onlyNew.decrypt('messages', fresh)).toBe('y')
  expect(() => onlyNew.decrypt('messages', old)).toThrow(/no key/)
})

test('keyed hashes are recognized with any key, and differ by purpose and value', async () => {
  const hash = (await withKeys(keyA)).keyedHash('codes', '1234')
  const { isKeyedHash, keyedHash } = await withKeys(`${keyB},${keyA}`)
  expect(isKeyedHash('codes', '1234', hash)).toBe(true)
  expect(isKeyedHash('codes', '1235', hash)).toBe(false)
  expect(isKeyedHash('clients', '1234', hash)).toBe(false)
  expect(isKeyedHash('codes', '1234', 'short')).toBe(false)
  expect(keyedHash('codes', '1234')).not.toBe(hash)
})

test('a right password, a wrong one, none, and one hashed with weaker parameters', async () => {
  const { hashPassword, verifyPassword } = await import('@/lib/base/crypto/password')
  const hash = await hashPassword('Длинный пароль 🦊 é')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verifyPassword(hash, 'Длинный пароль 🦊 é'.normalize('NFD'))).toEqual({ right: true, rehash: false })
  expect(await verifyPassword(hash, 'Длинный пароль')).toEqual({ right: false, rehash: false })
  expect(await verifyPassword(null, 'anything')).toEqual({ right: false, rehash: false })
  const weak = await (await import('@node-rs/argon2')).hash('x', { memoryCost: 4096, timeCost: 1 })
  expect(await verifyPassword(weak, 'x')).toEqual({ right: true, rehash: true })
})

test('an unknown account costs one hash, like any other', async () => {
  vi.resetModules()
  const looks: string[] = []
  vi.doMock('@/lib/base/crypto/hash-workers', async (original) => {
    const workers = await original<typeof import('@/lib/base/crypto/hash-workers')>()
    return {
      ...workers,
      runHash: (order: Parameters<typeof workers.runHash>[0]) => {
        if ('stored' in order) looks.push(order.stored)
        return workers.runHash(order)
      },
    }
  })
  const { hashPassword, verifyPassword } = await import('@/lib/base/crypto/password')
  await verifyPassword(await hashPassword('x'), 'wrong')
  await verifyPassword(null, 'wrong')
  vi.doUnmock('@/lib/base/crypto/hash-workers')
  const parametersOf = (hash: string | undefined) => hash?.split('$').slice(1, 4)
  expect(looks).toHaveLength(2)
  expect(parametersOf(looks[1])).toEqual(parametersOf(looks[0]))
})

test('a failed hash does not count as a wrong password', async () => {
  vi.resetModules()
  vi.doMock('@/lib/base/crypto/hash-workers', async (original) => ({
    ...(await original<typeof import('@/lib/base/crypto/hash-workers')>()),
    runHash: () => Promise.reject(new Error('a hash thread ended')),
  }))
  const { verifyPassword } = await import('@/lib/base/crypto/password')
  await expect(verifyPassword(null, 'x')).rejects.toThrow('ended')
  vi.doUnmock('@/lib/base/crypto/hash-workers')
  vi.resetModules()
  const { verifyPassword: real } = await import('@/lib/base/crypto/password')
  expect(await real('no hash at all', 'x')).toEqual({ right: false, rehash: true })
})
