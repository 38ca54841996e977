import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countryFault, countryIn, openCountries } from '@/lib/base/limits/country'
import { isActiveNow } from '@/lib/sign-in/own-sessions/active'
import { countryDatabase } from '../../factories/country-database'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'country-'))
})
afterAll(() => rm(folder, { recursive: true }))
async function file(name: string, content: Buffer | string) {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

describe('the country of an address', () => {
  test('comes from the local file, in all formats of its makers', async () => {
    const path = await file(
      'countries.mmdb',
      countryDatabase({
        '192.0.2.0/24': { country: { iso_code: 'RU' } },
        '198.51.100.0/25': { registered_country: { iso_code: 'DE' } },
        '203.0.113.7/32': { country: 'FR' },
        '203.0.113.8/32': { country: '<b>' },
      }),
    )
    expect(await countryFault(path)).toBeUndefined()
    const reader = await openCountries(path)
    const countryOf = (ip: string) => countryIn(reader, ip)
    expect(['192.0.2.1', '192.0.2.255', '198.51.100.1', '203.0.113.7'].map(countryOf)).toEqual(['RU', 'RU', 'DE', 'FR'])
    // an unknown address, one outside, a private one, no address at all, and an invalid code
    for (const ip of ['192.0.3.1', '198.51.100.200', '10.0.0.1', '::1', '', 'x', '203.0.113.8'])
      expect(countryOf(ip), ip).toBeNull()
  })

  test.each([
    ['is no file', undefined, 'can’t be read'],
    ['is something else', 'no database', 'is not a database'],
    ['is empty', '', 'is not a database'],
    ['is cut off', countryDatabase({ '192.0.2.0/24': { country: 'RU' } }).subarray(0, 60), 'is not a database'],
    ['is of something else', countryDatabase({ '192.0.2.0/24': { asn: 1 } }, 'Test-ASN'), 'is a database of Test-ASN'],
  ])('a file that %s prevents the start, with its name', async (name, content, why) => {
    const path = content === undefined ? join(folder, 'missing') : await file(`${name}.mmdb`, content)
    const fault = await countryFault(path)
    expect(fault).toContain(`COUNTRY_DATABASE: ${path}`)
    expect(fault).toContain(why.replace('’', "'"))
  })

  test('is a code or nothing, however the file is damaged', async () => {
    const subnets = { '192.0.2.0/24': { country: { iso_code: 'RU' } }, '198.51.100.0/25': { country: 'DE' } }
    const whole = countryDatabase(subnets)
    const random = caseNumbers(41)
    let opened = 0
    for (const round of eachRound(400)) {
      const bytes = Buffer.from(whole)
      for (let n = 0; n <= random(3); n++) bytes[random(bytes.length)] = random(256)
      const reader = await openCountries(await file('damaged.mmdb', bytes)).catch(() => null)
      if (!reader) continue
      opened++
      for (const ip of ['192.0.2.1', '198.51.100.3', '10.0.0.1', '2001:db8::1', 'fe80::1%eth0'])
        expect(countryIn(reader, ip) ?? 'XX', `round ${round}, ${ip}`).toMatch(/^[A-Z]{2}$/)
    }
    expect(opened).toBeGreaterThan(shareOf(200))
  })

  test('isn’t looked up without a file', async () => expect(await countryFault(undefined)).toBeUndefined())
})

test.each([
  [0, true],
  [4 * 60 + 59, true],
  [5 * 60, false],
  [3600, false],
])('a session used %i seconds ago is active: %s', (seconds, active) => {
  const now = new Date('2026-11-22T12:00:00Z')
  expect(isActiveNow(new Date(now.getTime() - seconds * 1000).toISOString(), now)).toBe(active)
})
