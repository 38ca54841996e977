import { describe, expect, test } from 'vitest'
import { hasSecretPart, maskedAddress, maskSecrets, secretsOfAddress } from '@/lib/base/text/masks'
import { caseNumbers, eachRound } from '../../factories/random-cases'

const random = caseNumbers(200)
const one = <T>(list: readonly T[]) => list[random(list.length)] as T
const token = () =>
  Buffer.from(Array.from({ length: 6 + random(24) }, () => random(256))).toString(
    one(['hex', 'base64url', 'base64'] as const),
  )

/** How a receiver may repeat a text. */
const spellings = (text: string) => [
  text,
  encodeURIComponent(text),
  JSON.stringify(text).slice(1, -1),
  Buffer.from(text).toString('base64'),
  Buffer.from(text).toString('base64url'),
]

test('a secret stands in no spelling in what is kept, whatever signs it has', () => {
  const signs = [...'aZ09+/=-_&%"\\ \nёя🦊']
  for (const _ of eachRound(500)) {
    const secret = Array.from({ length: 6 + random(30) }, () => one(signs)).join('')
    const masked = maskSecrets(spellings(secret).join('\t'), [secret])
    expect([secret, masked]).toEqual([
      secret,
      spellings(secret)
        .map(() => '***')
        .join('\t'),
    ])
  }
})

describe('an address', () => {
  test('keeps nothing of its parameters, its user info and its fragment, whatever it looks like', () => {
    for (const _ of eachRound(2_000)) {
      const secrets = Array.from({ length: 1 + random(4) }, token)
      const written = (value: string) => one([encodeURIComponent(value), value.replaceAll(/[#&\\]/g, '')])
      const place = `receiver${random(9)}.example${one(['', ':8443'])}${one(['', '/', '/hooks/platform', '/a@b/c'])}`
      const query = secrets
        .map((value) => one([`key${one(['', '[]', '%20'])}=${written(value)}`, written(value)]))
        .join('&')
      const user = one(['', '', `${written(token()).replaceAll('/', '')}:`, 'name:', `:`])
      const password = user ? token() : ''
      const info = user ? `${user}${encodeURIComponent(password)}@` : ''
      const address = `${one(['https://', 'http://', 'HTTPS://'])}${info}${place}?${query}${one(['', `#${written(token())}`])}`
      const masked = maskedAddress(address)
      for (const secret of [...secrets, ...(password ? [password] : [])])
        for (const form of [secret, encodeURIComponent(secret)].map((text) => text.replace(/=+$/, '')))
          expect([address, masked.includes(form)]).toEqual([address, false])
      expect(masked).toContain(place.split(/[:/]/)[0])
      expect(hasSecretPart(address)).toBe(true)
      expect(maskedAddress(masked)).toBe(masked)
      const forms = secrets.flatMap(spellings)
      const echo = `no route ${address.slice(address.indexOf('?'))} ${JSON.stringify({ secrets })} ${forms.join(' ')}`
      const said = maskSecrets(echo, secretsOfAddress(address))
      expect({ address, said, shownForms: forms.filter((form) => said.includes(form)) }).toEqual({
        address,
        said,
        shownForms: [],
      })
    }
  })

  test('without parameters stays as it is, and what may be a token without a name is masked', () => {
    for (const address of [
      'https://a.example',
      'https://a.example/hooks/',
      'http://127.0.0.1:80/x?',
      'https://a.example/?&',
    ])
      expect(maskedAddress(address)).toBe(address)
    expect(maskedAddress('https://a.example/?of=users&token=abc')).toBe('https://a.example/?of=***&token=***')
    // a token in base64 without a name looks like a name without a value
    expect(maskedAddress('https://a.example/?dG9rZW4=&dG9rZQ==&of=')).toBe('https://a.example/?***&***&***')
    expect(maskedAddress('not an address?token=abc')).toBe('***')
  })
})
