import { readFileSync } from 'node:fs'

const reads = /\b(?:readdir(?:Sync)?|readFile(?:Sync)?|glob(?:Sync)?)\(|\bimport\.meta\.glob\b/
const folders = new Set(['app', 'bin', 'components', 'db', 'docs', 'lib', 'messages', 'tests'])
/** A path in quotes, up to what is known of it: in `messages/${locale}/x.json` that is `messages/`. */
const quoted = /['"`](?:\.{0,2}\/)*(\{[\w,]+\}|\.|[\w-][^'"`*${\s]*)(.)/g

/**
 * Returns the folders and files of the project that this source of a test names, if it reads any; `.` is the whole
 * project. It may be more than the test reads.
 */
export function readIn(text: string): string[] {
  if (!reads.test(text)) return []
  const paths = [...text.matchAll(quoted)].flatMap(([, path = '', next = '']) => {
    if (path.startsWith('{')) return path.slice(1, -1).split(',')
    return /['"`]/.test(next) ? path.replace(/\/$/, '') : path.replace(/\/?[^/]*$/, '')
  })
  return [...new Set(paths)].filter(
    (path) => path === '.' || /^[\w-]+\.\w+$/.test(path) || folders.has(path.split('/')[0] ?? ''),
  )
}

/** Returns a function that says which of these tests read a file as a text. */
export function readersOf(tests: readonly string[]): (file: string) => string[] {
  const read = tests.map((test) => ({ test, paths: readIn(readFileSync(test, 'utf8')) }))
  return (file) =>
    read
      .filter(({ paths }) => paths.some((path) => path === '.' || path === file || file.startsWith(`${path}/`)))
      .map(({ test }) => test)
}
