import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Tree = { [key: string]: Tree | string }

/** Returns the keys of all texts, each as a path of names. */
const keysOf = (tree: Tree, above: string[] = []): string[][] =>
  Object.entries(tree).flatMap(([name, text]) =>
    typeof text === 'string' ? [[...above, name]] : keysOf(text, [...above, name]),
  )

/** The texts in quotes of all sources, and the patterns that their templates make. */
function written() {
  const sources = ['app', 'bin', 'components', 'db', 'lib'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
  )
  const texts = new Set(sources.flatMap((source) => [...source.matchAll(/'([\w.-]+)'/g)].map(([, text = '']) => text)))
  const templates = new Set(
    sources.flatMap((source) => [...source.matchAll(/`((?:[\w.-]|\$\{[^`{}]*\})+)`/g)].map(([, text = '']) => text)),
  )
  const patterns = [...templates]
    .filter((template) => template.includes('${') && /^[^$]*\w|\}[^$]*\w/.test(template.replace(/\$\{[^}]*/g, '$')))
    .map((template) => new RegExp(`^${template.replace(/\./g, '\\.').replace(/\$\{[^}]*\}/g, '.+')}$`))
  return { texts, patterns }
}

/** Returns the keys of which no source has any ending. One that shares its last name with a used key isn't found. */
function unused(keys: readonly string[][], { texts, patterns }: ReturnType<typeof written>): string[] {
  const isWritten = (ending: string) => texts.has(ending) || patterns.some((pattern) => pattern.test(ending))
  return keys.filter((key) => !key.some((_, at) => isWritten(key.slice(at).join('.')))).map((key) => key.join('.'))
}

test('every text is used by a source', () => {
  const files = readdirSync('messages/ru').filter((name) => name.endsWith('.json'))
  const keys = files.flatMap((name) => keysOf(JSON.parse(readFileSync(`messages/ru/${name}`, 'utf8'))))
  const writtenTexts = written()
  expect(unused([['ui', 'nobodyWritesThis']], writtenTexts)).toEqual(['ui.nobodyWritesThis'])
  expect(unused(keys, writtenTexts)).toEqual([])
})
