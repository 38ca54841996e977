import { createGuardrails, generateSync } from 'otplib'
import { describe, expect, test } from 'vitest'
import { qrCodeOf } from '@/lib/sign-in/factors/totp/qr'
import { newRecoveryCodes } from '@/lib/sign-in/factors/totp/recovery-codes'
import { importedKey, keyAddress, newKey, stepOfCode } from '@/lib/sign-in/factors/totp/totp'

/** The secret of RFC 6238, appendix B, in base32. */
const rfcKey = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('a code of an authenticator app', () => {
  // the last six digits of the values of appendix B for SHA-1
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('is that of RFC 6238 at %d seconds', (seconds, code) => {
    expect(stepOfCode(rfcKey, code, new Date(seconds * 1000))).toBe(Math.floor(seconds / 30))
  })

  test('counts in its step and in both beside it, at every second of them, and in no other', () => {
    const key = newKey()
    const step = 58_000_000
    const code = generateSync({ secret: key, epoch: step * 30 })
    const takenAt = Array.from({ length: 6 * 30 }, (_, second) => (step - 2) * 30 + second - 30).filter(
      (seconds) => stepOfCode(key, code, new Date(seconds * 1000)) === step,
    )
    expect(takenAt).toEqual(Array.from({ length: 90 }, (_, second) => (step - 1) * 30 + second))
  })

  test.each(['', '12345', '1234567', '12345a', '１２３４５６', '-12345', ' 12345'])('%j is none', (code) => {
    expect(stepOfCode(rfcKey, code, new Date())).toBeNull()
  })

  test('of another key is wrong', () => {
    const [first, second] = [newKey(), newKey()]
    const now = new Date()
    const code = generateSync({ secret: first, epoch: Math.floor(now.getTime() / 1000) })
    expect(stepOfCode(first, code, now)).not.toBeNull()
    expect(stepOfCode(second, code, now)).toBeNull()
  })
})

test('the address of a key names issuer and account, whatever letters they have', () => {
  const address = new URL(keyAddress('Полярис & Co', 'ivan@example.com', rfcKey))
  expect(decodeURIComponent(address.pathname)).toBe('/Полярис & Co:ivan@example.com')
  expect(Object.fromEntries(address.searchParams)).toMatchObject({ secret: rfcKey, issuer: 'Полярис & Co' })
})

test('a QR code is one path within its square, with a margin', () => {
  const { size, path } = qrCodeOf('otpauth://totp/x')
  const points = [...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => [Number(x), Number(y)])
  expect(points.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join('')).toBe(path)
  expect(Math.min(...points.flat())).toBe(2)
  expect(Math.max(...points.flat())).toBe(size - 3)
})

test('recovery codes are ten, all different, without letters that look alike', () => {
  const codes = Array.from({ length: 100 }, newRecoveryCodes)
  for (const ten of codes) expect(new Set(ten).size).toBe(10)
  expect(new Set(codes.flat()).size).toBe(1000)
  for (const code of codes.flat()) expect(code).toMatch(/^[2-9a-hjkmnp-tv-z]{5}-[2-9a-hjkmnp-tv-z]{5}$/)
})

describe('a key of another system', () => {
  test.each([
    [rfcKey, rfcKey],
    ['gezd gnbv gy3t qojq gezd gnbv gy3t qojq', rfcKey],
    ['GEZDGNBVGY3TQOJQ======', 'GEZDGNBVGY3TQOJQ'],
    [`otpauth://totp/Old:anna?secret=${rfcKey}&issuer=Old`, rfcKey],
    [`otpauth://totp/anna?secret=${rfcKey.toLowerCase()}&algorithm=SHA1&digits=6&period=30`, rfcKey],
    [keyAddress('Полярис', 'anna', rfcKey), rfcKey],
  ])('%s is taken', (text, key) => {
    expect(importedKey(text)).toBe(key)
    const code = generateSync({ secret: key, epoch: 30, guardrails: createGuardrails({ MIN_SECRET_BYTES: 10 }) })
    expect(stepOfCode(key, code, new Date(30_000))).toBe(1)
  })

  test.each([
    '',
    'GEZDGNBVGY3TQOJ',
    'GEZDGNBVGY3TQOJ1',
    'A'.repeat(129),
    'A'.repeat(104),
    'GEZDGNBVGY3TQOJQG',
    `${'A'.repeat(17)}B`,
    `otpauth://hotp/anna?secret=${rfcKey}&counter=1`,
    `otpauth://totp/anna?secret=${rfcKey}&algorithm=SHA256`,
    `otpauth://totp/anna?secret=${rfcKey}&digits=8`,
    `otpauth://totp/anna?secret=${rfcKey}&period=60`,
    'otpauth://totp/anna',
    `https://totp/anna?secret=${rfcKey}`,
  ])('%s is refused', (text) => {
    expect(importedKey(text)).toBeNull()
  })
})
