import { relative } from 'node:path'

/** The path of a test file within the project: the name by which a run knows it. */
export const pieceOf = (file: string) => relative(process.cwd(), file).replaceAll('\\', '/')

/** The kind of a vitest file, which is its folder: `unit`, `docs` or `integration`. */
export const kindOf = (piece: string) => piece.split('/')[1] ?? ''
