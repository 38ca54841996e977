import { latinCode } from '@/lib/kernel/latin-code'
import { folded, unmasked } from './disguises'

/**
 * A person's own words don't count: as many characters must be there beside them
 * (docs/rules/passwords.md#leaked-and-personal-passwords).
 */
const leastBeside = 8

/** The words of names, logins, e-mails and titles: whole and in parts, Russian ones in Latin letters too. */
function wordsOf(about: readonly string[]): string[] {
  const words = new Set<string>()
  for (const text of about.map(folded)) {
    const [local = ''] = text.split('@')
    const parts = [text, local, ...local.split(/[^\p{L}\p{N}]+/u)]
    for (const part of parts) for (const word of [part, latinCode(part, '')]) if (word.length >= 4) words.add(word)
  }
  return [...words].sort((one, other) => other.length - one.length)
}

/** Whether a password is little else than words that anybody knows of its owner or of the platform. */
export function isPersonal(password: string, about: readonly string[]): boolean {
  const words = wordsOf(about)
  const lower = folded(password)
  return [lower, ...unmasked(lower)].some((text) => {
    const beside = words.reduce((rest, word) => rest.replaceAll(word, ''), text)
    return beside !== text && [...beside].length < leastBeside
  })
}
