import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const most = 400

/** A file that grows beyond this is divided by what it is about. */
const longer = ['tests/e2e/codes.spec.ts']

test('no source has more than 400 lines', () => {
  const sources = ['app', 'bin', 'components', 'db', 'lib', 'tests'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|mjs|css)$/.test(entry.name))
      .map(({ parentPath, name }) => `${parentPath}/${name}`),
  )
  expect(sources.length).toBeGreaterThan(500)
  const long = sources.filter((file) => readFileSync(file, 'utf8').trimEnd().split('\n').length > most)
  expect(long.filter((file) => !longer.includes(file))).toEqual([])
})
