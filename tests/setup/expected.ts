import { readFileSync } from 'node:fs'

/** Where a run stores how many seconds each piece of work took. */
export const secondsFile = '.data/test-seconds.json'

let secondsByPiece: Record<string, number> | undefined

/** How long a piece took the last time on this machine, in seconds; by default a guess. */
export function expectedSeconds(piece: string, guess: number): number {
  try {
    secondsByPiece ??= JSON.parse(readFileSync(secondsFile, 'utf8')) as Record<string, number>
  } catch {
    secondsByPiece ??= {}
  }
  return secondsByPiece[piece] ?? guess
}
