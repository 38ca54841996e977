import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { saveLicense } from '@/lib/operations/license/contract'
import { issueLicense, newKeys, publicKeyOf, readLicense } from '@/lib/operations/license/format'
import { caseNumbers, eachRound } from '../../factories/random-cases'

const { privateKey, publicKey } = newKeys()
const key = publicKeyOf(publicKey)
const terms = { owner: 'Поларис', domain: 'id.example.com', expiresAt: '2027-12-31T00:00:00.000Z', sessions: 500 }
const license = issueLicense(privateKey, terms)

describe('a license', () => {
  test('says what was signed, also with the line breaks of a mail', () => {
    expect(readLicense(license, key)).toEqual({ version: 1, ...terms })
    expect(readLicense(`  ${license.replace(/(.{40})/g, '$1\r\n')}\n`, key)).toEqual({ version: 1, ...terms })
    expect(readLicense(issueLicense(privateKey, { ...terms, expiresAt: null, sessions: null }), key)).toMatchObject({
      expiresAt: null,
      sessions: null,
    })
  })

  test('is none if a sign of it was changed, or another key signed it', () => {
    const random = caseNumbers(83)
    const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (const _ of eachRound(300)) {
      const at = random(license.length)
      const sign = signs.charAt(random(signs.length))
      const forged = license.slice(0, at) + sign + license.slice(at + 1)
      const read = readLicense(forged, key)
      // the last sign of a part has bits that mean nothing
      if (read !== null) expect(read).toEqual({ version: 1, ...terms })
    }
    const [payload, signature] = license.split('.')
    const more = Buffer.from(JSON.stringify({ version: 1, ...terms, sessions: null })).toString('base64url')
    for (const forged of [
      `${more}.${signature}`,
      `${payload}.${Buffer.alloc(64).toString('base64url')}`,
      issueLicense(newKeys().privateKey, terms),
      `${license}x`,
      '',
      '.',
      'x'.repeat(9_000),
    ])
      expect(readLicense(forged, key)).toBeNull()
  })

  test('can’t be issued with a key of another kind, or with values that none can have', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'pem', type: 'pkcs8' })
    expect(() => issueLicense(rsa.toString(), terms)).toThrow('Ed25519')
    expect(() => issueLicense(privateKey, { ...terms, sessions: 0 })).toThrow()
    expect(() => issueLicense(privateKey, { ...terms, owner: '' })).toThrow()
  })
})

test('a domain is read from what people paste', () => {
  const read = (domain: string) => saveLicense.body?.safeParse({ key: 'a.b', domain }).data?.domain
  expect(read('ID.Example.com')).toBe('id.example.com')
  expect(read('https://id.example.com:8443/platform?x=1')).toBe('id.example.com')
  expect(read('localhost')).toBe('localhost')
  for (const wrong of ['', 'id example.com', '-a.example', 'a..example', 'пример.рф', 'a@b.example'])
    expect(read(wrong)).toBeUndefined()
})
