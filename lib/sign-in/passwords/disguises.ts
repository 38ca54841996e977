/** Returns the form in which passwords are compared: normalized as for hashing, in lower case. */
export const folded = (text: string) => text.normalize('NFKC').toLowerCase()

const cyrillicKeys = 'ёйцукенгшщзхъфывапролджэячсмитьбю'
const latinKeys = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
// the lists of leaked passwords contain no commas
const keys = new Map([...cyrillicKeys].map((letter, index) => [letter, (latinKeys[index] ?? letter).replace(',', '')]))

/** Returns the text, and the text that the same keys type on a Latin keyboard: `gfhjkm` for `пароль`. */
const withLatinKeys = (text: string) => [text, [...text].map((letter) => keys.get(letter) ?? letter).join('')]

const signs = { '@': 'a', '4': 'a', '3': 'e', '!': 'i', '0': 'o', '5': 's', $: 's', '7': 't' } as const
const letterFor = new Map(Object.entries(signs))

/** Replaces digits and signs by the letters that they stand for; 1 may stand for l or i. */
export const unmasked = (text: string): string[] =>
  ['l', 'i'].map((letter) => [...text].map((sign) => (sign === '1' ? letter : (letterFor.get(sign) ?? sign))).join(''))

const isWord = (text: string) => /^\p{L}{4,}$/u.test(text)

/**
 * Returns a password without its disguise. `whole` are forms of the whole text. `cores` are words that make up at least
 * half of it, with only digits and signs before and after them. Both also contain the forms as typed on a Latin
 * keyboard.
 */
export function disguises(password: string): { whole: Set<string>; cores: Set<string> } {
  const lower = folded(password)
  const bare = lower.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
  const whole = [lower, bare, ...unmasked(lower), ...unmasked(bare)]
  const withoutEnd = lower.replace(/\P{L}+$/u, '')
  const cores = [withoutEnd.replace(/^\P{L}+/u, ''), ...unmasked(withoutEnd)].filter(
    (core) => isWord(core) && core.length * 2 >= lower.length,
  )
  return { whole: new Set(whole.flatMap(withLatinKeys)), cores: new Set(cores.flatMap(withLatinKeys)) }
}
