import { basename } from 'node:path'
import { type Language, languages } from './sign-in-page'
import { wordsOf } from './words'

/**
 * Returns the language in which the journeys of a file (`import.meta.filename`) are made, and all texts in it. Half of the
 * files are in each language; a full run repeats them all in the other one (`TEST_LANGUAGE=other`).
 */
export function spokenIn(file: string) {
  let sum = 0
  for (const letter of basename(file)) sum += letter.charCodeAt(0)
  if (process.env.TEST_LANGUAGE === 'other') sum++
  const language = languages[sum % 2] as Language
  return { language, words: wordsOf(language) }
}
