import { describe, expect, test } from 'vitest'
import { isBarrel } from '@/bin/check/sources'

describe('a barrel file', () => {
  test.each([
    ['of one statement', "export { a } from './a'"],
    ['of everything', "export * from './a'\nexport * as b from './b'"],
    ['of types', "export type { A } from './a'"],
    [
      'of an import and an export',
      "import { a, b } from './a'\nimport type { C } from './c'\n\nexport { a, b }\nexport type { C }",
    ],
    ['of several lines', "import {\n  a,\n  b,\n} from './a'\nexport {\n  a,\n  b as c,\n}"],
    ['of a default', "import a from './a'\nexport default a"],
    ['of other names', "import * as all from './a'\nexport const b = all.b"],
    ['with comments', "// what others need\nimport { a } from './a'\n/** Again. */\nexport { a }"],
  ])('%s is found', (_, text) => {
    expect(isBarrel('lib/people/index.ts', text)).toBe(true)
  })

  test.each([
    ['declares something', "import { a } from './a'\nexport const b = a()"],
    ['exports what it declares', 'const a = 1 + 1\nexport { a }'],
    ['passes on something among its own', "export { a } from './a'\nexport function b() {}"],
    ['only imports, for what that does', "import './a'"],
    ['is generated', "// Made by npm run generate.\nexport * from './a'"],
  ])('isn’t a file that %s', (_, text) => {
    expect(isBarrel('lib/people/index.ts', text)).toBe(false)
  })

  test('may exist where Next requires a file name', () => {
    expect(isBarrel('app/api/route.ts', "export { GET } from './get'")).toBe(false)
  })
})
