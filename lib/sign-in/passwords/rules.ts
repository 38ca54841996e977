import { randomPassword } from './random-password'

/** The rules for passwords. The server builds them from the settings; both browser and server check them. */
export type PasswordRules = {
  min: number
  max: number | null
  /** A password has at least one of these, if there are any. */
  symbols: string
  uppercase: boolean
  lowercase: boolean
  numbers: boolean
  /** Patterns with their titles in the reader's language. */
  custom: { pattern: string; title: string }[]
  /** Whether forms offer to generate a password. */
  generate: boolean
}

export type PasswordMark = {
  id: 'min' | 'max' | 'symbols' | 'uppercase' | 'lowercase' | 'numbers' | `custom${number}`
  passed: boolean
  params: { count?: number; symbols?: string; title?: string }
}

/** Returns whether a password contains a custom pattern. */
type FindsPattern = (pattern: string, password: string) => boolean

// only safe patterns can be saved; a long password is cut all the same
const findsNatively: FindsPattern = (pattern, password) => new RegExp(pattern, 'u').test(password.slice(0, 256))

/**
 * Returns each rule and whether the password satisfies it (docs/rules/passwords.md#rules), in the order of the pages.
 * The server passes its own `findsPattern`.
 */
export function passwordMarks(
  rules: PasswordRules,
  typed: string,
  findsPattern: FindsPattern = findsNatively,
): PasswordMark[] {
  // normalized as for hashing; the length is counted in characters, not in UTF-16 units
  const password = typed.normalize('NFKC')
  const { length } = [...password]
  const marks: PasswordMark[] = [{ id: 'min', passed: length >= rules.min, params: { count: rules.min } }]
  const add = (id: PasswordMark['id'], passed: boolean, params: PasswordMark['params'] = {}) =>
    marks.push({ id, passed, params })
  if (rules.max !== null) add('max', length <= rules.max, { count: rules.max })
  if (rules.lowercase) add('lowercase', /\p{Ll}/u.test(password))
  if (rules.uppercase) add('uppercase', /\p{Lu}/u.test(password))
  if (rules.numbers) add('numbers', /\d/.test(password))
  if (rules.symbols)
    add(
      'symbols',
      [...rules.symbols].some((sign) => password.includes(sign)),
      { symbols: rules.symbols },
    )
  rules.custom.forEach(({ pattern, title }, index) => {
    add(`custom${index}`, findsPattern(pattern, password), { title })
  })
  return marks
}

export const isAcceptable = (rules: PasswordRules, password: string, findsPattern?: FindsPattern) =>
  passwordMarks(rules, password, findsPattern).every(({ passed }) => passed)

// without similar signs, such as O and 0 or I, l and 1: a generated password may be read aloud or copied by hand
const upper = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const lower = 'abcdefghijkmnpqrstuvwxyz'
const digits = '23456789'
const lookAlike = new Set('|`\'"')

/** Returns the groups of characters of a generated password, and its length: 16 if the rules allow that. */
export function generationOf(rules: PasswordRules): { groups: string[]; length: number } {
  const symbols = [...rules.symbols].filter((sign) => !lookAlike.has(sign)).join('')
  const length = Math.max(rules.min, Math.min(16, rules.max ?? 16))
  return { groups: [upper, lower, digits, symbols].filter(Boolean), length }
}

/**
 * Returns a random password that satisfies the rules; null if no random password satisfies the custom patterns.
 * `random(n)` returns an integer below n.
 */
export function generatePassword(rules: PasswordRules, random: (below: number) => number): string | null {
  const { groups, length } = generationOf(rules)
  return randomPassword(groups, length, random, (password) => isAcceptable(rules, password))
}

/** Returns a mark's rule as a pattern (flag `u`) for the normalized password, by which the script of a page marks it. */
export function patternOf(rules: PasswordRules, id: PasswordMark['id']): string {
  switch (id) {
    case 'min':
      return `^[^]{${rules.min}}`
    case 'max':
      return `^[^]{0,${rules.max}}$`
    case 'lowercase':
      return '\\p{Ll}'
    case 'uppercase':
      return '\\p{Lu}'
    case 'numbers':
      return '\\d'
    case 'symbols':
      return `[${rules.symbols.replace(/[\\\]^-]/g, '\\$&')}]`
    default:
      return rules.custom[Number(id.slice('custom'.length))]?.pattern ?? ''
  }
}
