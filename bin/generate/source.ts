import { readdirSync } from 'node:fs'

/** A generated file and its content. */
export type Made = { file: string; text: string }

/** Returns the matching paths of files below a folder, sorted, with slashes. */
export const filesBelow = (folder: string, pattern: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => pattern.test(name))
    .sort()

/** Returns the text of a generated file: the line that marks it as generated, and these lines. */
export const generated = (lines: readonly string[]) => `// Made by npm run generate.\n${lines.join('\n')}\n`

/** Converts `network-aliases` to the identifier `networkAliases`. */
export const identifier = (name: string) => name.replace(/[-/.]+(\w)/g, (_, letter: string) => letter.toUpperCase())
