import { describe, expect, test } from 'vitest'
import { AppError } from '@/lib/base/runtime/errors'
import type { IdAttribute } from '@/lib/sign-in/attempts/contract'
import { normalizeIdentifier } from '@/lib/sign-in/attempts/identifier'

const fault = (kind: IdAttribute, value: string | undefined) => {
  try {
    return normalizeIdentifier(kind, value)
  } catch (error) {
    return error instanceof AppError ? error.data.errorList?.[0] : error
  }
}

describe('identifiers', () => {
  test.each<[IdAttribute, string, string]>([
    ['login', '  Anna.Petrova ', 'anna.petrova'],
    ['login', 'ИВАН', 'иван'],
    ['email', 'A.Petrova@Polaris.Example', 'a.petrova@polaris.example'],
    ['email', "o'hara+tag@polaris.example", "o'hara+tag@polaris.example"],
    ['mobile', '8 (900) 123-45-67', '+79001234567'],
    ['mobile', '+7 900 123 45 67', '+79001234567'],
    ['mobile', '+44 20 7946 0958', '+442079460958'],
  ])('%s %j becomes %j', (kind, value, expected) => expect(normalizeIdentifier(kind, value)).toBe(expected))

  test.each<[IdAttribute, string | undefined, string]>([
    ['login', undefined, 'errorEmpty'],
    ['login', '   ', 'errorEmpty'],
    ['email', 'anna', 'errorEmail'],
    ['email', '"anna"@polaris.example', 'errorEmail'],
    ['email', 'anna@polaris.example,boris@evil.example', 'errorEmail'],
    ['email', 'anna＠polaris.example', 'errorEmail'],
    ['email', 'anna@polaris.example\r\nBcc: b@evil.example', 'errorChars'],
    ['email', 'Anna <anna@polaris.example>', 'errorEmail'],
    ['mobile', '12', 'errorMobile'],
    ['mobile', 'not a number', 'errorMobile'],
  ])('%s %j is refused', (kind, value, code) => expect(fault(kind, value)).toEqual({ field: kind, code }))
})
