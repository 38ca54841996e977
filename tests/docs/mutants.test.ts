import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import mutants from '../mutants/mutants.json'

/** Where mistakes are, so that a change there runs this test. */
const folders = ['app', 'components', 'db', 'lib', 'messages']
/** Where the tests are that find them, for the same reason. */
const levels = ['tests/docs', 'tests/e2e', 'tests/integration', 'tests/unit']

/** How often a text stands in a file. */
const count = (file: string, text: string) => readFileSync(file, 'utf8').split(text).length - 1

test('each mistake can be put into the code as it is', () => {
  // one that is put in must not be found by this test
  const unfit = mutants.filter(({ file, from, to }) => count(file, from) !== 1 && count(file, to) !== 1)
  expect(unfit.map(({ id, file }) => `${id}: ${file}`)).toEqual([])
})

test('they are fifty-three of twelve kinds, in known folders', () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(53)
  expect(new Set(mutants.map(({ kind }) => kind)).size).toBe(12)
  expect(mutants.filter(({ file }) => !folders.includes(file.split('/')[0] ?? ''))).toEqual([])
})

test('each names the test file that finds it, which is there, and whether `npm test` finds it', () => {
  const isTest = (file: string) =>
    levels.some((level) => file.startsWith(`${level}/`)) && /\.(?:test|spec)\.ts$/.test(file) && existsSync(file)
  // an entry without the field is of another type than the others
  const entries: readonly { id: number; foundBy?: string; scope?: string }[] = mutants
  const unknown = entries.filter(({ foundBy, scope }) => !foundBy || !isTest(foundBy) || (scope && scope !== 'full'))
  expect(unknown.map(({ id, foundBy }) => `${id}: ${foundBy}`)).toEqual([])
})
