import { basename } from 'node:path'
import { runSeed } from '../setup/scope'
import { type Language, languages } from './sign-in-page'
import { wordsOf } from './words'

/**
 * Returns the language in which the journeys of a file (`import.meta.filename`) are made, and all texts in it. Half of the
 * files are in each language. On each second day a full run has the other one.
 */
export function spokenIn(file: string) {
  let sum = 0
  for (const letter of basename(file)) sum += letter.charCodeAt(0)
  const language = languages[(sum + runSeed) % 2] as Language
  return { language, words: wordsOf(language) }
}
