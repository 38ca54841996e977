import { describe, expect, test } from 'vitest'
import { chooseTests, firstOf, type Known, withoutGone } from '@/bin/test/changed'

const facts: Known = {
  ran: new Map([
    ['tests/integration/access/roles.test.ts', ['lib/access/roles/service.ts', 'lib/base/runtime/errors.ts']],
    [
      'tests/integration/users.test.ts',
      ['lib/access/roles/service.ts', 'lib/base/runtime/errors.ts', 'lib/people/users.ts', 'tests/factories/users.ts'],
    ],
    ['tests/e2e/roles.spec.ts', ['lib/access/roles/service.ts', 'app/platform/roles/page.tsx', 'lib/a.ts', 'lib/b.ts']],
  ]),
  importers: new Map([
    ['lib/access/roles/contract.ts', ['lib/access/roles/service.ts', 'app/platform/roles/_ui/form.tsx']],
    ['lib/access/roles/service.ts', ['app/platform/roles/page.tsx', 'lib/people/users.ts']],
    ['app/platform/roles/_ui/form.tsx', ['app/platform/roles/page.tsx']],
    ['tests/factories/roles.ts', ['tests/integration/access/roles.test.ts']],
    ['tests/factories/users.ts', ['tests/integration/users.test.ts', 'tests/e2e/people.ts']],
    ['tests/e2e/people.ts', ['tests/e2e/roles.spec.ts']],
  ]),
  naming: (namespace) => (namespace === 'roles' ? ['app/platform/roles/_ui/form.tsx'] : []),
  readers: (file) => (file.startsWith('lib/') || file.endsWith('.md') ? ['tests/docs/citations.test.ts'] : []),
  tests: [
    'tests/unit/project/messages.test.ts',
    'tests/docs/citations.test.ts',
    'tests/integration/access/roles.test.ts',
    'tests/integration/users.test.ts',
    'tests/e2e/roles.spec.ts',
  ],
  seconds: () => 10,
}
const choose = (files: string[], seconds = 1_000) => chooseTests(files, facts, seconds)

describe('the tests of a change', () => {
  test('are those that have run it, the most special first', () => {
    expect(choose(['lib/access/roles/service.ts']).tests).toEqual([
      'tests/docs/citations.test.ts',
      'tests/integration/access/roles.test.ts',
      'tests/integration/users.test.ts',
      'tests/e2e/roles.spec.ts',
    ])
  })

  test('are bounded in time, except those that are changed themselves', () => {
    const { tests, beyond } = choose(['lib/access/roles/service.ts', 'tests/e2e/roles.spec.ts'], 15)
    expect(tests).toEqual(['tests/docs/citations.test.ts', 'tests/e2e/roles.spec.ts'])
    expect(beyond).toEqual(['tests/integration/access/roles.test.ts', 'tests/integration/users.test.ts'])
  })

  test('of what runs nothing by itself are those of what imports it', () => {
    expect(choose(['lib/access/roles/contract.ts']).tests).toContain('tests/integration/access/roles.test.ts')
    expect(choose(['tests/factories/roles.ts']).tests).toEqual(['tests/integration/access/roles.test.ts'])
  })

  test('of a factory are also the browser tests that use it', () => {
    expect(choose(['tests/factories/users.ts']).tests).toEqual([
      'tests/integration/users.test.ts',
      'tests/e2e/roles.spec.ts',
    ])
  })

  test('include the pages that show it, and the test of a page that runs only in a browser', () => {
    expect(choose(['app/platform/roles/_ui/form.tsx'])).toMatchObject({
      tests: ['tests/e2e/roles.spec.ts'],
      pages: ['app/platform/roles'],
    })
  })

  test('of texts are those of the texts, and of the pages that name them', () => {
    const { tests, pages } = choose(['messages/ru/roles.json'])
    expect(tests).toEqual(['tests/unit/project/messages.test.ts', 'tests/e2e/roles.spec.ts'])
    expect(pages).toEqual(['app/platform/roles'])
  })

  test('are also those that read it as a text, whatever time they take', () => {
    expect(choose(['lib/people/users.ts'], 0).tests).toEqual(['tests/docs/citations.test.ts'])
    expect(choose(['docs/webhooks.md']).tests).toEqual(['tests/docs/citations.test.ts'])
  })

  test('are in doubt also those that no full run has met yet', () => {
    const fresh = 'tests/integration/fresh.test.ts'
    const inBrowser = 'tests/e2e/fresh.spec.ts'
    const later: Known = {
      ...facts,
      importers: new Map([
        ...facts.importers,
        ['lib/people/users.ts', ['tests/factories/fresh.ts']],
        ['tests/factories/fresh.ts', [fresh]],
      ]),
      tests: [...facts.tests, fresh, inBrowser],
    }
    // what it imports is run by others already, who are known
    const { tests } = chooseTests(['lib/access/roles/service.ts'], later, 1_000)
    expect(tests).toContain(fresh)
    expect(tests.at(-1)).toBe(inBrowser)
    expect(chooseTests(['tests/factories/roles.ts'], later, 1_000).tests).toEqual([
      'tests/integration/access/roles.test.ts',
    ])
    // without a map nothing is known of any browser test
    expect(chooseTests(['lib/people/users.ts'], { ...later, ran: new Map() }, 1_000).tests).not.toContain(inBrowser)
  })

  test('are without a map first those that make calls of the same module', () => {
    const byContract: Known = {
      ...facts,
      ran: new Map(),
      importers: new Map([
        ['lib/access/roles/queries.ts', ['lib/access/roles/service.ts']],
        ['lib/access/roles/service.ts', ['tests/integration/users.test.ts']],
        [
          'lib/access/roles/contract.ts',
          ['tests/integration/access/roles.test.ts', 'tests/integration/calls/roles.calls.ts'],
        ],
      ]),
      tests: [...facts.tests, 'tests/integration/project/calls.test.ts'],
    }
    expect(chooseTests(['lib/access/roles/queries.ts'], byContract, 1_000).tests).toEqual([
      'tests/docs/citations.test.ts',
      'tests/integration/access/roles.test.ts',
      'tests/integration/project/calls.test.ts',
      'tests/integration/users.test.ts',
    ])
  })

  test('include no more pages than fit, the closest first', () => {
    const pages = Array.from({ length: 9 }, (_, at) => `app/p${at}`)
    const many: Known = {
      ...facts,
      importers: new Map([
        ['components/a.tsx', ['components/b.tsx', 'app/p8/page.tsx']],
        ['components/b.tsx', pages.map((folder) => `${folder}/page.tsx`)],
      ]),
    }
    const { pages: first, beyond } = chooseTests(['components/a.tsx', 'app/p7/page.tsx'], many, 36)
    expect(first).toEqual(['app/p7', 'app/p8', 'app/p0'])
    expect(beyond).toEqual(['app/p1', 'app/p2', 'app/p3', 'app/p4', 'app/p5', 'app/p6'])
    expect(chooseTests(['app/p7/page.tsx'], many, 0).pages).toEqual(['app/p7'])
  })

  test('are all of them if everything depends on it', () => {
    expect(choose(['README.md', 'package-lock.json']).everything).toBe('package-lock.json')
  })
})

test('of a long list the first ten are named', () => {
  expect(firstOf(['a', 'b'])).toBe('a, b')
  expect(firstOf([...'abcdefghijklm'])).toBe('a, b, c, d, e, f, g, h, i, j and 3 others')
})

test('what is noted of tests that are gone is forgotten', () => {
  const noted = {
    build: 1,
    'tests/unit/a.test.ts': 1,
    'tests/e2e/b.spec.ts › it › works': 2,
    'tests/e2e/c.spec.ts › x': 3,
  }
  const existing = ['tests/unit/a.test.ts', 'tests/e2e/c.spec.ts']
  expect(withoutGone(noted, (file) => existing.includes(file))).toEqual({
    build: 1,
    'tests/unit/a.test.ts': 1,
    'tests/e2e/c.spec.ts › x': 3,
  })
})
