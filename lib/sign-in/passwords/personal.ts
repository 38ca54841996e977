import { latinCode } from '@/lib/base/text/latin-code'
import { folded, unmasked } from './disguises'

/**
 * How many characters a password must have in addition to personal words
 * (docs/rules/passwords.md#leaked-and-personal-passwords).
 */
const leastOtherCharacters = 8

/**
 * Returns the words of names, logins, e-mails and titles, longest first: whole, in parts, and Russian words in Latin
 * letters too.
 */
function wordsOf(texts: readonly string[]): string[] {
  const words = new Set<string>()
  for (const text of texts.map(folded)) {
    const [local = ''] = text.split('@')
    const parts = [text, local, ...local.split(/[^\p{L}\p{N}]+/u)]
    for (const part of parts) for (const word of [part, latinCode(part, '')]) if (word.length >= 4) words.add(word)
  }
  return [...words].sort((first, second) => second.length - first.length)
}

/** Returns whether a password consists mainly of words from texts about its owner or the platform. */
export function isPersonal(password: string, texts: readonly string[]): boolean {
  const words = wordsOf(texts)
  const lower = folded(password)
  return [lower, ...unmasked(lower)].some((text) => {
    const remainder = words.reduce((shortened, word) => shortened.replaceAll(word, ''), text)
    return remainder !== text && [...remainder].length < leastOtherCharacters
  })
}
