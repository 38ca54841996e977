import { readdirSync, readFileSync } from 'node:fs'

const folders = ['app', 'bin', 'components', 'db', 'lib', 'tests']
const most = 400

const comment = /\/\*[\s\S]*?\*\/|\/\/.*/g
const passedOn =
  /(?:import|export) (?:type )?[\w*{}\s,]+? from '[^']+'|import '[^']+'|export (?:type )?\{[^}]*\}|export default [\w.]+|export const \w+ = [A-Za-z_]\w*(?:\.\w+)*$/gm

/**
 * Returns whether a source only re-exports what other files export. Files that Next requires by name and generated
 * indexes are exempt.
 */
export const isBarrel = (file: string, text: string) =>
  !/^(app|tests)\//.test(file) &&
  !text.startsWith('// Made by npm run generate.') &&
  /^export /m.test(text) &&
  text.replace(comment, '').replace(passedOn, '').replaceAll(';', '').trim() === ''

/** Returns the paths of the files below these folders whose names match. */
export const filesIn = (where: readonly string[], name: RegExp): string[] =>
  where.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && name.test(entry.name))
      .map((entry) => `${entry.parentPath}/${entry.name}`),
  )

/** Returns the faults of the sources themselves: files that are too long, and barrel files. */
export function sourceFaults(): string[] {
  return filesIn(folders, /\.(tsx?|mjs|css)$/).flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const lines = text.trimEnd().split('\n').length
    return [
      ...(lines > most && !file.endsWith('.generated.ts') ? [`${file} has ${lines} lines: ${most} are allowed`] : []),
      ...(isBarrel(file, text) ? [`${file} is a barrel file: import from where things are`] : []),
    ]
  })
}
