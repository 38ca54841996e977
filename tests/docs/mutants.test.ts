import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import mutants from '../mutants/mutants.json'

/** Where mistakes are, so that a change there runs this test. */
const folders = ['app', 'components', 'db', 'lib', 'messages']

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
