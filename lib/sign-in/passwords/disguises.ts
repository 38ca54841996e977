/** Returns the form in which passwords are compared: normalized as for hashing, in lower case. */
export const folded = (text: string) => text.normalize('NFKC').toLowerCase()

const cyrillicKeys = 'ёйцукенгшщзхъфывапролджэячсмитьбю'
const latinKeys = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
// the lists of leaked passwords contain no commas
const keys = new Map([...cyrillicKeys].map((letter, at) => [letter, (latinKeys[at] ?? letter).replace(',', '')]))

/** Returns the text, and what the same keys give on a Latin keyboard: `gfhjkm` for `пароль`. */
const withLatinKeys = (text: string) => [text, [...text].map((letter) => keys.get(letter) ?? letter).join('')]

const signs = { '@': 'a', '4': 'a', '3': 'e', '!': 'i', '0': 'o', '5': 's', $: 's', '7': 't' } as const
const letterFor = new Map(Object.entries(signs))

/** Replaces digits and signs by the letters that they stand for; 1 may stand for l or i. */
export const unmasked = (text: string): string[] =>
  ['l', 'i'].map((one) => [...text].map((sign) => (sign === '1' ? one : (letterFor.get(sign) ?? sign))).join(''))

const isWord = (text: string) => /^\p{L}{4,}$/u.test(text)

/**
 * Returns a password without its disguise: `whole` are forms of the whole text; `cores` are words with only digits and
 * signs around them that make up at least half of it. Each also as typed on a Latin keyboard.
 */
export function disguises(password: string): { whole: Set<string>; cores: Set<string> } {
  const lower = folded(password)
  const bare = lower.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
  const whole = [lower, bare, ...unmasked(lower), ...unmasked(bare)]
  const headed = lower.replace(/\P{L}+$/u, '')
  const cores = [headed.replace(/^\P{L}+/u, ''), ...unmasked(headed)].filter(
    (core) => isWord(core) && core.length * 2 >= lower.length,
  )
  return { whole: new Set(whole.flatMap(withLatinKeys)), cores: new Set(cores.flatMap(withLatinKeys)) }
}
