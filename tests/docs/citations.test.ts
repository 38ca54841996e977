import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Comments, tests and documents cite rules, points and decisions by file and heading. Every citation must resolve. */

const away = new Set(['node_modules', 'migrations', 'dist'])
const kinds = /\.(tsx?|mjs|cjs|css|sql|md|ya?ml)$/

/** Returns the files below a folder; names that begin with a dot are skipped. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const { name } = entry
    if (name.startsWith('.') || away.has(name)) return []
    const path = folder === '.' ? name : `${folder}/${name}`
    return entry.isDirectory() ? filesIn(path) : kinds.test(name) ? [path] : []
  })
const files = filesIn('.').filter((file) => file !== 'tests/docs/citations.test.ts')
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))

type Cited = { file: string; line: number; text: string }
type Citation = Cited & { path: string; heading: string | undefined }

const placeOf = ({ file, line, text }: Cited) => `${file}:${line}: ${text}`

/** Returns the matches of a pattern in files, each with its place. */
function* matchesOf(pattern: RegExp, within: (file: string) => boolean): Generator<Cited & { match: RegExpExecArray }> {
  for (const [file, text] of texts)
    if (within(file))
      for (const match of text.matchAll(pattern))
        yield { file, line: text.slice(0, match.index).split('\n').length, text: match[0], match }
}

/** Returns the anchor that GitHub generates from a heading. */
const slug = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

/** Returns the anchors of a document's headings; the second of two equal ones ends with -1. */
function headingsOf(text: string): Set<string> {
  const slugs = new Set<string>()
  const seen = new Map<string, number>()
  let fenced = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) fenced = !fenced
    const heading = fenced ? null : /^#{1,6} (.+)$/.exec(line)?.[1]
    if (!heading) continue
    const plain = slug(heading)
    const before = seen.get(plain) ?? 0
    seen.set(plain, before + 1)
    slugs.add(before === 0 ? plain : `${plain}-${before}`)
  }
  return slugs
}
const headings = new Map<string, Set<string>>()
function hasHeading(path: string, heading: string): boolean {
  const slugs = headings.get(path) ?? headingsOf(texts.get(path) ?? '')
  headings.set(path, slugs)
  return slugs.has(heading)
}

const resolves = ({ path, heading }: Citation) =>
  existsSync(path) && (heading === undefined || hasHeading(path, heading))
const unresolved = (citations: Iterable<Citation>) => [...citations].filter((one) => !resolves(one)).map(placeOf)

const isDocument = (file: string) => file.endsWith('.md')
const everywhere = () => true
/** The bench names its measures after their points. */
const isBench = (file: string) => file.startsWith('tests/bench/')

/** Citations of documents by their path from the root. */
function* citedByPath(): Generator<Citation> {
  for (const { match, ...cited } of matchesOf(/(?<![\w/.])(docs\/[\w./-]+\.md)(?:#([\w-]+))?/g, everywhere))
    yield { ...cited, path: match[1] ?? '', heading: match[2] }
}

/** Links of documents to documents. */
function* linked(): Generator<Citation> {
  for (const { match, ...cited } of matchesOf(/\]\(((?!https?:|mailto:|\/)[^)\s#]*)(?:#([^)\s]+))?\)/g, isDocument)) {
    const [, to = '', heading] = match
    yield { ...cited, path: to ? join(dirname(cited.file), to) : cited.file, heading }
  }
}

describe('citations', () => {
  test('of rules, points and decisions by path name an existing file and heading', () => {
    const citations = [...citedByPath()]
    expect(citations.filter(({ path }) => path.startsWith('docs/rules/')).length).toBeGreaterThan(50)
    expect(unresolved(citations)).toEqual([])
  })

  test('of rules and points outside of documents name a heading', () => {
    const whole = [...citedByPath()].filter(
      ({ file, path, heading }) =>
        !isDocument(file) &&
        !heading &&
        /^docs\/(rules\/|quality\.md)/.test(path) &&
        !file.startsWith('tests/docs/rules'),
    )
    expect(whole.map(placeOf)).toEqual([])
  })

  test('between documents name an existing file and heading', () => {
    expect(unresolved(linked())).toEqual([])
  })

  test('of decisions by number name an existing one', () => {
    const numbers = new Set(globSync('docs/adr/*.md').map((file) => Number(/(\d{4})-/.exec(file)?.[1])))
    const wrong = [...matchesOf(/\bADRs? (\d+)(?:(?:, (\d+))* and (\d+))?/g, everywhere)].filter(({ match }) =>
      match.slice(1).some((number) => number !== undefined && !numbers.has(Number(number))),
    )
    expect(wrong.map(placeOf)).toEqual([])
  })

  test('of points in the bench name existing points', () => {
    const points = [...matchesOf(/\b[SRPU][1-9]\d?\b/g, isBench)]
    expect(points.length).toBeGreaterThan(0)
    expect(points.filter(({ text }) => !hasHeading('docs/quality.md', text.toLowerCase())).map(placeOf)).toEqual([])
  })

  test('name nothing outside of the repository', () => {
    const unknown = [
      ...matchesOf(/(?<![\w/-])(?:decisions|portal|administration|quality)\.md\b/gi, everywhere),
      ...matchesOf(/\b\w+\.tsv\b/g, everywhere),
      // a text of the demo numbers its own sections
      ...matchesOf(
        /(?<!(?:RFC|NIST|WCAG|OpenID|SP|WebAuthn)[^\n]{0,60})\bsections? \d/gi,
        (file) => !file.startsWith('db/seed/demo/'),
      ),
      // a point may be mentioned only as the text of a link
      ...matchesOf(/(?<!\[)\b[SRPU][1-9]\d?\b/g, (file) => !isBench(file) && file !== 'docs/quality.md'),
    ]
    expect(unknown.map(placeOf)).toEqual([])
  })
})

describe('the points of quality', () => {
  const quality = texts.get('docs/quality.md') ?? ''
  const points = new Map(
    quality
      .split(/^### /m)
      .slice(1)
      .map((part) => [part.split('\n', 1)[0] ?? '', part] as const),
  )

  test('each name a test, or state that there is none yet', () => {
    expect([...points.keys()].filter((id) => /^[SRPU]\d+$/.test(id))).toHaveLength(points.size)
    for (const [id, text] of points) expect(text, id).toMatch(/`tests\/|not tested yet/i)
  })

  test('name every test that cites them', () => {
    const silent = [...citedByPath()].filter(
      ({ file, path, heading }) =>
        /\.(test|spec)\.ts$/.test(file) &&
        path === 'docs/quality.md' &&
        !points.get((heading ?? '').toUpperCase())?.includes(`\`${file}\``),
    )
    expect(silent.map(placeOf)).toEqual([])
  })
})

test('every page of rules is in the list of pages', () => {
  const index = texts.get('docs/rules/README.md') ?? ''
  for (const file of globSync('docs/rules/*.md'))
    if (!file.endsWith('README.md')) expect(index).toContain(file.slice(11))
})

test('files that rules and points name exist', () => {
  const named = [
    ...matchesOf(/`((?:app|bin|components|db|lib|messages|tests)\/[\w./()[\]-]+)`/g, (file) =>
      /^docs\/(rules|quality)/.test(file),
    ),
  ]
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(({ match }) => !existsSync(match[1] ?? '')).map(placeOf)).toEqual([])
})
