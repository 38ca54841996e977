import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { administrationErrors, publicErrors } from '@/lib/kernel/i18n/administration-errors'
import en from '@/messages/en/errors.json'
import ru from '@/messages/ru/errors.json'

/** The texts for people who aren't signed in come from here. */
const publicCode = ['lib/entry', 'lib/people', 'lib/kernel', 'app/platform/(auth)', 'app/api/v1/platform/auth']

test('what public pages go without is said by nothing that they call', () => {
  const sources = publicCode
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('administration-errors.ts'))
    .map((name) => readFileSync(name, 'utf8'))
  for (const code of administrationErrors) {
    expect(ru.errors).toHaveProperty(code)
    expect(
      sources.filter((source) => source.includes(`'${code}'`)),
      code,
    ).toEqual([])
  }
  expect(Object.keys(publicErrors(en.errors))).toContain('errorEmpty')
  expect(Object.keys(publicErrors(en.errors))).not.toContain('errorGrant')
})
