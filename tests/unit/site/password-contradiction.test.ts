import { expect, test } from 'vitest'
import { isSafePattern } from '@/lib/base/text/safe-pattern'
import { isAcceptable } from '@/lib/sign-in/passwords/rules'
import { isContradiction, type PasswordDemands } from '@/lib/site/settings/password-contradiction'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'

const none = { uppercase: false, lowercase: false, numbers: false, symbols: '' }
type Rules = typeof none & { patterns: string[]; min: number; max: number | null }

const demandsOf = ({ patterns, min, max, uppercase, lowercase, numbers, symbols }: Rules): PasswordDemands => ({
  passwordCustomRules: patterns.map((pattern) => ({ pattern, title: { ru: pattern } })),
  passwordMin: min,
  passwordMax: max,
  passwordSymbols: symbols,
  passwordUppercase: uppercase,
  passwordLowercase: lowercase,
  passwordNumbers: numbers,
})
const accepts = ({ patterns, ...rules }: Rules, password: string) =>
  isAcceptable({ ...rules, generate: false, custom: patterns.map((pattern) => ({ pattern, title: '' })) }, password)
const all = { uppercase: true, lowercase: true, numbers: true, symbols: '!@#$%^&*()_+-=?' }

// docs/rules/settings.md#refused
test('rules that exclude one another are found, others aren’t', () => {
  const refused: [string[], number, number | null][] = [
    [['^\\d+$'], 8, 128],
    [['^[a-z]', '^[A-Z]'], 8, 128],
    [['^.{0,7}$'], 8, 128],
    [['^.{8,9}$'], 10, 20],
    [['a{5}', 'b{5}', 'c{5}'], 8, 12],
    [['\\d$', '[a-z]$'], 8, null],
    [['x^'], 8, 128],
    [['^[^\\d]*$'], 8, 128],
  ]
  for (const [patterns, min, max] of refused)
    expect([patterns, isContradiction(demandsOf({ ...all, patterns, min, max }))]).toEqual([patterns, true])
  const allowed: [string[], number, number | null][] = [
    [[], 8, null],
    [['^[a-z]'], 8, 128],
    [['^^a', '[А-Я]'], 8, 20],
    [['^.{8,9}$'], 9, 20],
    [['a{5}', 'b{5}', 'c{5}'], 8, 19],
    [['(^a|b).{3}$'], 8, 8],
    [['\\bfoo\\b'], 8, 20],
    [Array.from({ length: 20 }, (_, at) => `${String.fromCharCode(97 + at)}{3}\\d`), 8, 128],
  ]
  for (const [patterns, min, max] of allowed)
    expect([patterns, isContradiction(demandsOf({ ...all, patterns, min, max }))]).toEqual([patterns, false])
})

test('over few characters the answer is that of trying every password', () => {
  const below = caseNumbers(2_031)
  const signs = ['a', 'B', '1', '!']
  const words = ['']
  for (let at = 0; at < words.length; at++)
    if ((words[at] ?? '').length < 5) words.push(...signs.map((sign) => `${words[at]}${sign}`))
  const some = <T>(of: readonly T[]) => of[below(of.length)] as T
  const piece = () =>
    `${some(['a', 'B', '1', '!', '[aB]', '[^a]', '.', '\\d', '(?:a|1)'])}${some(['', '', '+', '?', '{2}'])}`
  const patternOf = () => `${some(['', '^'])}${Array.from({ length: 1 + below(3) }, piece).join('')}${some(['', '$'])}`
  const counts = { true: 0, false: 0 }
  for (const _ of eachRound(400)) {
    const min = below(5)
    const rules: Rules = {
      uppercase: below(3) === 0,
      lowercase: below(3) === 0,
      numbers: below(3) === 0,
      symbols: below(3) === 0 ? '!' : '',
      patterns: ['^[aB1!]*$', ...Array.from({ length: 1 + below(3) }, patternOf).filter(isSafePattern)],
      min,
      max: min + below(6 - min),
    }
    const contradiction = !words.some((word) => accepts(rules, word))
    counts[`${contradiction}`]++
    expect([rules, isContradiction(demandsOf(rules))]).toEqual([rules, contradiction])
  }
  expect(Math.min(counts.true, counts.false)).toBeGreaterThan(shareOf(80))
})
