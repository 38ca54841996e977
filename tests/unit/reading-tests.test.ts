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
  ['lib/access/roles/service.ts', ['who-writes-users', 'unused-texts', 'citations', 'entities']],
  ['app/platform/roles/page.tsx', ['page-guards', 'page-texts', 'color-classes']],
  ['messages/ru/roles.json', ['messages', 'wording', 'typography', 'unused-texts', 'page-texts']],
  ['docs/webhooks.md', ['retention', 'citations']],
  ['tests/e2e/roles.spec.ts', ['own-people']],
])('%s has its readers', (file, names) => {
  const of = readersOf(names.map((name) => `tests/unit/${name}.test.ts`))
  expect(of(file)).toHaveLength(names.length)
})
