import { describe, expect, test } from 'vitest'
import { findsPattern, isSafePattern } from '@/lib/base/text/safe-pattern'
import { backtrack } from '../../factories/backtracking'
import { caseNumbers } from '../../factories/random-cases'
import { rounds } from '../../setup/scope'

/** Patterns that isSafePattern allows in a browser, with the steps of a match. */
const mostSteps = 256 ** 3 * 2
const attacks = [
  'a'.repeat(256),
  `${'a'.repeat(255)}!`,
  'ab'.repeat(128),
  `${'a1'.repeat(127)}!`,
  `${' '.repeat(255)}x`,
]

describe('patterns that are known to hang engines', () => {
  // from the literature and from advisories; each takes exponential time, or a high power of the length
  test.each([
    '(a+)+$',
    // cheap for browsers, but RE2 is in 20,000 places at each sign
    `${'[xy]{1000}'.repeat(19)}[zq]`,
    '(?:[xy]{100}){10}z',
    '([a-zA-Z]+)*$',
    '(a|aa)+$',
    '(a|a?)+$',
    '(.*a){20}$',
    '(a*)*b',
    '(?:a?){30}a{30}',
    `${'a?'.repeat(40)}${'a'.repeat(40)}`,
    `${'(?:a|a)'.repeat(28)}b`,
    'a{0,99}a{0,99}a{0,99}a{0,99}b',
    '(?:a{0,99}){0,99}b',
    'a*a*a*a*b',
    'a+a+a+!',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
    '^(?:.|\\s)*$',
    '(\\w+\\s?)*$',
    '(?:[a-z]|[0-9]|[a-z0-9])+$',
    '\\s*\\s*\\s*\\s*$',
    '(x+x+)+y',
    '^(\\d+)*$',
    '(?:(?:a)|(?:a))*b',
    '(?:a{100}){100}',
    '([^,]*,){12}P',
    '(?=a)a',
    '(a)\\1',
    '(?<name>a)',
    '(?i)a',
    '(?>a)',
  ])('%s is refused', (pattern) => expect(isSafePattern(pattern)).toBe(false))
})

describe('patterns that people write', () => {
  test.each([
    '^[^A-Z]',
    '[a-z]+[0-9]+',
    '^\\p{L}+\\d+\\S*$',
    '(?:abc|def|ghi)',
    '^(?:[A-Z][a-z]){2}',
    '^(?:ab)+$',
    '[!?.,;:]{2,}',
    '^\\S*$',
    '.*.*',
    '^.{12,64}$',
  ])('%s is allowed, and stays within the step limit', (pattern) => {
    expect(isSafePattern(pattern)).toBe(true)
    for (const text of attacks) expect(backtrack(pattern, text, mostSteps).steps).toBeLessThan(mostSteps)
  })
})

/** Random patterns of overlapping pieces. */
function* randomPatterns(count: number) {
  const random = caseNumbers(42)
  const one = (from: string[]) => from[random(from.length)] ?? ''
  const piece = (depth: number): string => {
    const inner =
      depth > 0 && random(3) === 0
        ? `(?:${sequence(depth - 1)}|${sequence(depth - 1)})`
        : one(['a', '[ab]', '\\w', '.', '1', 'b'])
    return inner + one(['', '', '', '*', '+', '?', '{2}', '{0,3}', '{1,}', '+?'])
  }
  const sequence = (depth: number): string => Array.from({ length: 1 + random(4) }, () => piece(depth)).join('')
  for (let n = 0; n < count; n++) yield one(['', '^']) + sequence(2) + one(['', '$', '!'])
}

test('random allowed patterns stay within the step limit and match alike in both engines', () => {
  let taken = 0
  let refused = 0
  for (const pattern of randomPatterns(rounds(400))) {
    if (!isSafePattern(pattern)) {
      refused++
      continue
    }
    taken++
    for (const text of ['a'.repeat(40), `${'ab'.repeat(20)}?`, 'a1b!', 'b', '']) {
      const { found, steps } = backtrack(pattern, text, mostSteps)
      expect(steps, `${pattern} on ${text}`).toBeLessThan(mostSteps)
      expect(findsPattern(pattern, text), `${pattern} on ${text}`).toBe(found)
      expect(new RegExp(pattern, 'u').test(text), `${pattern} on ${text}`).toBe(found)
    }
  }
  expect(taken).toBeGreaterThan(rounds(100))
  expect(refused).toBeGreaterThan(rounds(100))
})
