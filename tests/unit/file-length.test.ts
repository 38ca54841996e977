import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const most = 400

/** Tests that were longer before anybody counted. None is added: a file that grows is divided by what it is about. */
const longer = [
  'tests/integration/files.test.ts',
  'tests/integration/oidc-clients.test.ts',
  'tests/integration/oidc.test.ts',
  'tests/integration/recorded-writes.test.ts',
  'tests/integration/recovery.test.ts',
]

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
