import { globSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { spokenIn } from '../../e2e/spoken'

afterEach(() => void vi.unstubAllEnvs())
const files = globSync('tests/e2e/*.spec.ts')
const spoken = () => files.map((file) => spokenIn(file).language)

test('about half of the files speak each language', () => {
  const russian = spoken().filter((language) => language === 'ru').length / files.length
  expect(russian).toBeGreaterThan(0.4)
  expect(russian).toBeLessThan(0.6)
})

test('a full run repeats each file in the language that it has not spoken', () => {
  vi.stubEnv('TEST_SCOPE', 'full')
  const first = spoken()
  vi.stubEnv('TEST_LANGUAGE', 'other')
  expect(spoken()).toEqual(first.map((language) => (language === 'ru' ? 'en' : 'ru')))
})
