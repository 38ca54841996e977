import { latinCode } from '@/lib/base/text/latin-code'
import { folded, unmasked } from './disguises'

/**
 * How many characters a password must have besides personal words
 * (docs/rules/passwords.md#leaked-and-personal-passwords).
 */
const leastBeside = 8

/**
 * The words of names, logins, e-mails and titles, longest first: whole, in parts, and Russian ones in Latin letters
 * too.
 */
function wordsOf(about: readonly string[]): string[] {
  const words = new Set<string>()
  for (const text of about.map(folded)) {
    const [local = ''] = text.split('@')
    const parts = [text, local, ...local.split(/[^\p{L}\p{N}]+/u)]
    for (const part of parts) for (const word of [part, latinCode(part, '')]) if (word.length >= 4) words.add(word)
  }
  return [...words].sort((one, other) => other.length - one.length)
}

/** Returns whether a password consists mainly of known words about its owner or the platform. */
export function isPersonal(password: string, about: readonly string[]): boolean {
  const words = wordsOf(about)
  const lower = folded(password)
  return [lower, ...unmasked(lower)].some((text) => {
    const beside = words.reduce((rest, word) => rest.replaceAll(word, ''), text)
    return beside !== text && [...beside].length < leastBeside
  })
}
