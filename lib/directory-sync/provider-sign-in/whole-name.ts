import { type Names, tidyName } from '@/lib/fields/names'

/** Languages in which the family name comes first. */
const familyFirst = /^(?:hu|ja|ko|vi|zh)(?:[-_]|$)/i

/** Scripts of these languages. */
const familyFirstScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

const patronymic = /\p{L}(?:вич|вна|ична|ич|оглы|кызы)$/iu

type Parts = Omit<Names, 'fio'>

const orderOf = (words: readonly string[], locale: string | undefined) => {
  if (familyFirst.test(locale ?? '') || familyFirstScript.test(words.join(''))) return 'family'
  if (words.length !== 3) return 'unknown'
  // a last name may look like a patronymic when it follows one
  if (patronymic.test(words[1] ?? '')) return 'given'
  return patronymic.test(words[2] ?? '') ? 'family' : 'unknown'
}

/**
 * Splits the whole name that an OpenID provider sends. The given name comes first unless a comma, a patronymic, the
 * script or the person's language shows another order. `isGuess`: nothing shows the order. Returns null for a name of
 * one word (docs/rules/providers.md#first-sign-in).
 */
export function partsOfWhole(name: string, locale: string | undefined): { parts: Parts; isGuess: boolean } | null {
  const comma = name.indexOf(',')
  const [before, after] = comma < 0 ? ['', name] : [tidyName(name.slice(0, comma)), name.slice(comma + 1)]
  const words = tidyName(after).split(' ').filter(Boolean)
  const [first = '', ...others] = words
  if (before !== '') {
    if (words.length === 0) return null
    return { parts: { lastName: before, firstName: first, middleName: others.join(' ') }, isGuess: false }
  }
  if (words.length < 2) return null
  const order = orderOf(words, locale)
  const parts =
    order === 'family'
      ? { lastName: first, firstName: others[0] ?? '', middleName: others.slice(1).join(' ') }
      : { lastName: others.at(-1) ?? '', firstName: first, middleName: others.slice(0, -1).join(' ') }
  return { parts, isGuess: order === 'unknown' }
}
