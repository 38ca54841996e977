import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'

/** By a file: the files that import it. */
export type Importers = ReadonlyMap<string, readonly string[]>

const imported = /\b(?:from|import)\s*\(?\s*'((?:@\/|\.{1,2}\/)[^']+)'/g
const endings = ['', '.ts', '.tsx', '/index.ts']

/** Reads which of these source files import which, by their text. Paths are those of the project. */
export async function importersOf(files: readonly string[]): Promise<Importers> {
  const there = new Set(files)
  const importers = new Map<string, string[]>()
  for (const file of files.filter((each) => /\.tsx?$/.test(each))) {
    const text = await readFile(file, 'utf8')
    for (const [, address = ''] of text.matchAll(imported)) {
      const path = address.startsWith('@/') ? address.slice(2) : posix.join(posix.dirname(file), address)
      const target = endings.map((ending) => path + ending).find((each) => there.has(each))
      if (target) importers.set(target, [...(importers.get(target) ?? []), file])
    }
  }
  return importers
}
