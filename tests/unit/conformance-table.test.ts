import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(path, 'utf8')
const tests = ['oidc-conformance', 'oidc-conformance-logout'].map((name) => read(`tests/integration/${name}.test.ts`))

test('each row of the conformance table is a test, and each test a row', () => {
  const rows = [...read('docs/openid-conformance.md').matchAll(/^\| `(oidcc-[\w-]+)` \| (.+) \| (.+) \|$/gm)]
  const named = tests.flatMap((source) => [...source.matchAll(/^ {2}test\('(oidcc-[\w-]+)'/gm)].map(([, name]) => name))
  const listed = rows.map(([, name]) => name)
  expect(listed.toSorted()).toEqual(named.toSorted())
  expect(new Set(listed).size).toBe(listed.length)
  for (const [, name, , outcome] of rows) expect(['passes', 'review', 'skipped'], name).toContain(outcome)
})
