import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** The maximum number of lines of code of a slice: contract, verbs, queries, routes and page, without tests and texts. */
const limit = 350

/**
 * The eleven files of a slice: if one is missing, its lines are hidden in another file. A slice whose contract declares no
 * search has no route of the search.
 */
const parts: [name: string, path: RegExp][] = [
  ['contract', /\/contract\.ts$/],
  ['service', /\/service\.ts$/],
  ['queries', /\/queries\.ts$/],
  ['route of the list', /^app\/api\/(?!.*\[id\]|.*\/search\/).*\/route\.ts$/],
  ['route of one', /\[id\]\/route\.ts$/],
  ['route of the search', /\/search\/route\.ts$/],
  ['page', /\/page\.tsx$/],
  ['list', /_ui\/(?!.*-(form|menu|parts)\.tsx$)[^/]+\.tsx$/],
  ['form', /_ui\/[^/]+-form\.tsx$/],
  ['menu', /_ui\/[^/]+-menu\.tsx$/],
  ['parts', /_ui\/[^/]+-parts\.tsx$/],
]

/** Returns every folder of that name below these folders; a name with a slash is the folder itself. */
async function foldersOf(name: string): Promise<string[]> {
  if (name.includes('/')) return existsSync(name) ? [name] : []
  const found: string[] = []
  for (const root of ['app', 'lib'])
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true }))
      if (entry.isDirectory() && entry.name === name) found.push(join(entry.parentPath, name))
  return found
}

/** Counts lines of code, without blank lines, comments and imports. */
const codeLines = (source: string) =>
  source
    .replace(/^import\b[^'"]*['"][^'"]*['"](?: with \{[^}]*\})?$/gm, '')
    .replace(/^\s*\/\*\*?[\s\S]*?\*\/\s*$/gm, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length

async function linesOf(folder: string): Promise<[string, number][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  return Promise.all(
    files.map(async (entry): Promise<[string, number]> => {
      const path = join(entry.parentPath, entry.name)
      return [path, codeLines(await readFile(path, 'utf8'))]
    }),
  )
}

const linesIn = (texts: string) => texts.split('\n').filter((line) => /^\s*"[^"]+": "/.test(line)).length

/** Counts the texts of a slice in one language. They don't count as code. */
async function textsOf(names: readonly string[]): Promise<[path: string, texts: number][]> {
  const paths = ['ru', 'en'].flatMap((language) => names.map((name) => `messages/${language}/${name}.json`))
  return Promise.all(
    paths
      .filter((path) => existsSync(path))
      .map(async (path): Promise<[string, number]> => [path, linesIn(await readFile(path, 'utf8'))]),
  )
}

const row = (count: number, words: string) => console.log(`${String(count).padStart(6)}  ${words}`)

/** Prints the lines of a slice, and its texts separately. Returns whether it is complete and within the limit. */
async function cost(slice: string): Promise<boolean> {
  const folders = (await Promise.all(slice.split(',').map(foldersOf))).flat()
  if (folders.length === 0) {
    console.error(`${slice}: there is no such folder`)
    return false
  }
  const files = (await Promise.all(folders.map(linesOf))).flat()
  const total = files.reduce((sum, [, lines]) => sum + lines, 0)
  for (const [path, lines] of files.sort(([one], [other]) => one.localeCompare(other))) row(lines, path)
  const contracts = files.filter(([file]) => file.endsWith('/contract.ts'))
  const searches = contracts.some(([file]) => /\bcalls\.search\(/.test(readFileSync(file, 'utf8')))
  const needed = parts.filter(([name]) => searches || name !== 'route of the search')
  const lacking = needed.filter(([, path]) => !files.some(([file]) => path.test(file))).map(([name]) => name)
  row(total, `${basename(slice)}: lines of code in ${files.length} files${total > limit ? `, over ${limit}` : ''}`)
  for (const [path, texts] of await textsOf(slice.split(','))) row(texts, `texts apart: ${path}`)
  if (lacking.length > 0) console.log(`${' '.repeat(8)}lacks its ${lacking.join(', ')}`)
  console.log()
  return total <= limit && lacking.length === 0
}

const slices = process.argv.slice(2)
if (slices.length === 0) {
  console.error('Name a slice by its folders: npm run slice:cost -- network-aliases device-types,devices-types')
  process.exit(2)
}
let well = true
for (const slice of slices) well = (await cost(slice)) && well
process.exit(well ? 0 : 1)
