import { expect, test } from 'vitest'
import { readersOf, readIn } from '@/bin/test/reading'

test.each([
  ["readFileSync('compose.yaml', 'utf8')", ['compose.yaml']],
  ["readdirSync('app', { recursive: true })", ['app']],
  ["['app', 'lib'].flatMap((folder) => readdirSync(folder))", ['app', 'lib']],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a test
  ['readFile(`docs/rules/${name}.md`)', ['docs/rules']],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as above
  ['readdirSync(`messages/${locale}`)', ['messages']],
  ["readFileSync(new URL('../../app/globals.css', import.meta.url))", ['app/globals.css']],
  ["globSync('{app,components}/**/*.tsx')", ['app', 'components']],
  ["import.meta.glob('/lib/**/contract.ts')", ['lib']],
  ["const all = filesIn('.')\nreadFileSync(all[0])", ['.']],
  // an odd quote before it, as patterns have
  ["const apart = /'/\nreaddirSync('messages/ru')", ['messages/ru']],
])('what a test reads is known by its source: %s', (text, paths) => {
  expect(readIn(text)).toEqual(paths)
})

test('a test that reads nothing is no reader, whatever it names', () => {
  expect(readIn("import { a } from '@/lib/a'\nexpect(a('lib/people')).toBe('app')")).toEqual([])
})

test.each([
  [
    'lib/access/roles/service.ts',
    [
      'tests/unit/accounts/who-writes-users.test.ts',
      'tests/unit/project/unused-texts.test.ts',
      'tests/docs/citations.test.ts',
      'tests/unit/project/entities.test.ts',
    ],
  ],
  [
    'app/platform/roles/page.tsx',
    [
      'tests/unit/request/page-guards.test.ts',
      'tests/unit/project/page-texts.test.ts',
      'tests/unit/project/color-classes.test.ts',
    ],
  ],
  [
    'messages/ru/roles.json',
    [
      'tests/unit/project/messages.test.ts',
      'tests/docs/wording.test.ts',
      'tests/unit/base/typography.test.ts',
      'tests/unit/project/unused-texts.test.ts',
      'tests/unit/project/page-texts.test.ts',
    ],
  ],
  ['docs/webhooks.md', ['tests/docs/retention.test.ts', 'tests/docs/citations.test.ts']],
  ['tests/e2e/roles.spec.ts', ['tests/unit/project/own-people.test.ts']],
])('%s has its readers', (file, tests) => {
  expect(readersOf(tests)(file)).toEqual(tests)
})
