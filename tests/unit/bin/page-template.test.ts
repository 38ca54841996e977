import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { newPlaceholders, templateOf } from '@/bin/server/page-template'
import { newNonce } from '@/bin/server/security-headers'
import { issueFormToken } from '@/lib/base/http/form-token'
import { caseNumbers, eachRound } from '../../factories/random-cases'

const random = caseNumbers(111)
const slots = () => ({ nonce: newNonce(), token: issueFormToken('browser', Date.now() + random(1_000_000)) })

test('each answer has its slots in each place and nothing else is changed, compressed or not', async () => {
  for (const _ of eachRound(200)) {
    const placeholders = newPlaceholders()
    // placeholders beside each other, at both ends, cut off, of other pages, among characters of several bytes
    const pieces = [
      placeholders.nonce,
      placeholders.token,
      `z${placeholders.nonce.slice(1)}`,
      newPlaceholders().nonce,
      newPlaceholders().token,
      newNonce(),
      '<script nonce="',
      'Полярис 𝄞 ',
      '+/=$&\\u002b',
      'x'.repeat(random(70_000)),
    ]
    const text = Array.from({ length: random(12) }, () => pieces[random(pieces.length)]).join('')
    const template = await templateOf(text, placeholders)
    for (const given of [slots(), slots()]) {
      const expected = text.replaceAll(placeholders.nonce, given.nonce).replaceAll(placeholders.token, given.token)
      expect(template.fill(given).toString()).toBe(expected)
      expect(gunzipSync(template.fillZipped(given)).toString()).toBe(expected)
    }
  }
})

test('a slot of another length fails instead of an answer that nobody can read', async () => {
  const placeholders = newPlaceholders()
  const template = await templateOf(placeholders.nonce, placeholders)
  expect(() => template.fillZipped({ ...slots(), nonce: 'c2hvcnQ=' })).toThrow('another length')
})

test('placeholders can not be guessed, and never come twice', () => {
  const made = Array.from({ length: 1_000 }, newPlaceholders)
  for (const name of ['nonce', 'token'] as const) expect(new Set(made.map((each) => each[name])).size).toBe(made.length)
  for (const { nonce, token } of made) {
    // 128 and 256 bits
    expect(nonce).toMatch(/^[0-9a-f]{32}$/)
    expect(token).toMatch(/^[0-9a-f]{64}$/)
  }
})
