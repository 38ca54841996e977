import { afterEach, expect, test, vi } from 'vitest'
import { mobileScript } from '@/components/plain/mobile-script'
import { splitMobile } from '@/lib/base/text/mobile-country'

afterEach(() => vi.unstubAllGlobals())

/** A page with a number and its country, as the script finds it. Returns both, and what types into the number. */
function pageWith(typed: string) {
  const options = [
    { value: 'RU', dataset: { calling: '+7' } },
    { value: 'DE', dataset: { calling: '+49' } },
  ]
  const select = { value: 'RU', dataset: { countryOf: 'number' }, options }
  const listeners: (() => void)[] = []
  const field = { value: typed, addEventListener: (_: string, listener: () => void) => listeners.push(listener) }
  vi.stubGlobal('document', {
    querySelectorAll: () => [select],
    getElementById: (id: string) => (id === 'number' ? field : null),
  })
  mobileScript(splitMobile)
  const type = (value: string) => {
    field.value = value
    for (const listener of listeners) listener()
  }
  return { select, field, type }
}

test('the calling code is taken out of a number that was typed before the script came, and afterwards', () => {
  const { select, field, type } = pageWith('+49 30 901820')
  expect([select.value, field.value.replace(/\D/g, '')]).toEqual(['DE', '30901820'])
  type('+79581234567')
  expect([select.value, field.value]).toEqual(['RU', '9581234567'])
})

test('a number without a calling code stays as it is', () => {
  const { select, field } = pageWith('958 123-45-67')
  expect([select.value, field.value]).toEqual(['RU', '958 123-45-67'])
})
