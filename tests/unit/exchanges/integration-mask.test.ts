import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { formsOfSecrets } from '@/lib/base/text/masks'
import { journalText, maxJournalBytes } from '@/lib/exchanges/exchanges/mask'
import { caseNumbers, eachRound } from '../../factories/random-cases'

const message = (body: string, headers: [string, string][] = []) => ({ head: 'HTTP 200', headers, body })

describe('a message of the journal', () => {
  test('has no value of a header or a member that is named like a secret', () => {
    const names = ['password', 'client_secret', 'accessToken', 'API-KEY', 'x.api.key', 'refresh_token', 'privateKey']
    const json = Object.fromEntries(names.map((name, at) => [name, `value-${at}`]))
    const text = journalText(
      message(JSON.stringify({ items: [{ deep: json, name: 'Компания' }], tokens: ['value-a', 'value-b'] }), [
        ['set-cookie', 'sid=value-c'],
        ['authorization', 'Bearer value-d'],
        ['content-type', 'application/json'],
      ]),
      [],
    )
    expect(text).not.toContain('value-')
    expect(text).toContain('Компания')
    expect(text).toContain('content-type: application/json')
  })

  test('of a text that is no JSON neither', () => {
    const text = journalText(message('<a>password=value-1&next=2</a> "token": "value-2", api_key: value-3'), [])
    expect(text).not.toContain('value-')
    expect(text).toContain('next=2')
  })

  test('never has the secret, in whatever form and place it comes back', () => {
    const random = caseNumbers(50)
    const printable = (length: number) => String.fromCharCode(...Array.from({ length }, () => 33 + random(94)))
    const noise = () => String.fromCharCode(...Array.from({ length: random(200) }, () => random(0x10000)))
    for (const _ of eachRound(500)) {
      const secret = printable(8 + random(52))
      const forms = formsOfSecrets([secret])
      const form = forms[random(forms.length)] as string
      const around = `${noise()}${form}${noise()}`
      for (const body of [around, JSON.stringify({ echo: around })]) {
        const text = journalText(message(body, [['x-echo', form]]), [secret])
        expect({ secret, hasSecret: text.includes(secret), hasNul: text.includes('\0') }).toEqual({
          secret,
          hasSecret: false,
          hasNul: false,
        })
        expect(text.isWellFormed()).toBe(true)
      }
    }
  })

  test('has 1 MiB at most, and a secret at its end leaves no part of itself', () => {
    const secret = randomBytes(24).toString('hex')
    for (const filler of ['x', 'ё', '😀']) {
      const body =
        filler.repeat(Math.floor((maxJournalBytes - 60) / Buffer.byteLength(filler))) + secret + filler.repeat(1_000)
      const text = journalText(message(body), [secret])
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxJournalBytes)
      expect(text).not.toContain(secret.slice(0, 8))
      expect(text.isWellFormed()).toBe(true)
    }
  })

  test('of any size is made at once', () => {
    // each of them would take a regular expression that looks ahead far too long
    for (const part of ['"password', 'token', 'secret: ', 'a_', '"', '\\"'])
      expect(journalText(message(part.repeat(200_000)), []).length).toBeGreaterThan(0)
  })
})
