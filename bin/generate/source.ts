import { readdirSync } from 'node:fs'

/** A generated file and what stands in it. */
export type Made = { file: string; text: string }

/** Paths of the files below a folder whose path matches, sorted, with slashes. */
export const filesBelow = (folder: string, pattern: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => pattern.test(name))
    .sort()

/** The text of a generated file: a line that says so, and these lines. */
export const generated = (lines: readonly string[]) => `// Made by npm run generate.\n${lines.join('\n')}\n`

/** `network-aliases` as an identifier: `networkAliases`. */
export const identifier = (name: string) => name.replace(/[-/.]+(\w)/g, (_, letter: string) => letter.toUpperCase())
