import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(path, 'utf8')
const tests = [
  'tests/integration/openid/oidc-conformance.test.ts',
  'tests/integration/openid/oidc-conformance-logout.test.ts',
].map(read)
const [tables = '', explained = ''] = read('docs/openid-conformance.md').split('## What the suite warned of')

test('each row of the conformance table is a test, and each test a row', () => {
  const rows = [...tables.matchAll(/^\| `(oidcc-[\w-]+)` \| (.+) \| (.+) \|$/gm)]
  const named = tests.flatMap((source) => [...source.matchAll(/^ {2}test\('(oidcc-[\w-]+)'/gm)].map(([, name]) => name))
  const listed = rows.map(([, name]) => name)
  expect(listed.toSorted()).toEqual(named.toSorted())
  expect(new Set(listed).size).toBe(listed.length)
  const outcomes = ['PASSED', 'REVIEW', 'SKIPPED', 'WARNING']
  for (const [, name, , outcome] of rows) expect(outcomes, name).toContain(outcome)
})

test('every warning of the suite is explained, each module by its name', () => {
  const warned = [...tables.matchAll(/^\| `(oidcc-[\w-]+)` \| .+ \| WARNING \|$/gm)].map(([, name]) => name)
  expect(warned.length).toBeGreaterThan(0)
  for (const name of warned) expect(explained).toContain(`\`${name}\``)
})

test('there are as many results as the suite counted', () => {
  const counted = Object.fromEntries(
    tables
      .split(/^## /m)
      .slice(1)
      .map((part) => {
        const [title = ''] = part.split('\n', 1)
        const outcomes: Record<string, number> = {}
        for (const [, outcome = ''] of part.matchAll(/^\| `oidcc-.+ \| ([A-Z]+) \|$/gm))
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        return [title, outcomes]
      }),
  )
  expect(counted).toMatchObject({
    'Basic OP': { PASSED: 24, WARNING: 4, REVIEW: 4, SKIPPED: 3 },
    'Config OP': { PASSED: 1 },
    'RP-Initiated OP': { PASSED: 3, REVIEW: 8 },
    'Back-Channel OP': { PASSED: 2 },
  })
})
