/** As passwords are compared: the form in which they are hashed, in lower case. */
export const folded = (text: string) => text.normalize('NFKC').toLowerCase()

const cyrillicKeys = 'ёйцукенгшщзхъфывапролджэячсмитьбю'
const latinKeys = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
// lists of leaks have lost their commas
const keys = new Map([...cyrillicKeys].map((letter, at) => [letter, (latinKeys[at] ?? letter).replace(',', '')]))

/** The keys that were struck, on a Latin keyboard: `пароль` is `gfhjkm`. */
const withLatinKeys = (text: string) => [text, [...text].map((letter) => keys.get(letter) ?? letter).join('')]

const signs = { '@': 'a', '4': 'a', '3': 'e', '!': 'i', '0': 'o', '5': 's', $: 's', '7': 't' } as const
const letterFor = new Map(Object.entries(signs))

/** With the letters that digits and signs stand for; 1 stands for two. */
export const unmasked = (text: string): string[] =>
  ['l', 'i'].map((one) => [...text].map((sign) => (sign === '1' ? one : (letterFor.get(sign) ?? sign))).join(''))

const isWord = (text: string) => /^\p{L}{4,}$/u.test(text)

/**
 * What a password is once its disguise is taken off: `whole` texts that may be known as they are, and `cores`, words
 * that have only digits and signs around them and make up half of it at least. Russian ones as struck on Latin keys.
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
