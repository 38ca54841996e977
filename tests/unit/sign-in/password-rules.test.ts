import { randomInt } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { generatePassword, isAcceptable, type PasswordRules, passwordMarks } from '@/lib/sign-in/passwords/rules'
import { caseNumbers } from '../../factories/random-cases'

const rules = (changes: Partial<PasswordRules> = {}): PasswordRules => ({
  min: 8,
  max: 128,
  symbols: '!@#',
  uppercase: true,
  lowercase: true,
  numbers: true,
  custom: [],
  generate: true,
  ...changes,
})
const failed = (password: string, changes?: Partial<PasswordRules>) =>
  passwordMarks(rules(changes), password).flatMap(({ id, passed }) => (passed ? [] : [id]))

describe('password rules', () => {
  test.each<[string, Partial<PasswordRules>, string[]]>([
    ['', {}, ['min', 'lowercase', 'uppercase', 'numbers', 'symbols']],
    ['Abcdef1!', {}, []],
    ['Abcdef1', {}, ['min', 'symbols']],
    ['abcdefg1!', {}, ['uppercase']],
    ['ABCDEFG1!', {}, ['lowercase']],
    ['Abcdefgh!', {}, ['numbers']],
    ['Abcdefg1$', {}, ['symbols']],
    ['Пароль-123!', {}, []],
    ['Abcdef1!'.repeat(17), {}, ['max']],
    ['Abcdef1!'.repeat(17), { max: null }, []],
    ['🦊🦊🦊🦊🦊🦊🦊', { symbols: '', uppercase: false, lowercase: false, numbers: false }, ['min']],
    ['🦊🦊🦊🦊🦊🦊🦊🦊', { symbols: '', uppercase: false, lowercase: false, numbers: false }, []],
    // as for hashing, full-width characters equal the plain ones
    ['\uff21bcdef\uff11\uff01', {}, []],
    ['Abcdef1!', { custom: [{ pattern: '^[^A-Z]', title: 'x' }] }, ['custom0']],
  ])('%j with %j violates %j', (password, changes, expected) => expect(failed(password, changes)).toEqual(expected))

  test('a disabled rule isn’t shown', () => {
    const ids = passwordMarks(
      rules({ max: null, symbols: '', uppercase: false, lowercase: false, numbers: false }),
      'x',
    ).map(({ id }) => id)
    expect(ids).toEqual(['min'])
  })
})

describe('generated passwords', () => {
  test.each<Partial<PasswordRules>>([
    {},
    { min: 40 },
    { max: 8 },
    { symbols: '' },
    { symbols: '|`' },
    { uppercase: false, numbers: false },
  ])('satisfy %j and have no look-alikes', (changes) => {
    const ruleSet = rules(changes)
    const random = caseNumbers(200)
    const seen = new Set<string>()
    for (let n = 0; n < 200; n++) {
      const password = generatePassword(ruleSet, random)
      if (ruleSet.symbols === '|`') {
        expect(password).toBeNull()
        return
      }
      expect(password && isAcceptable(ruleSet, password)).toBe(true)
      expect(password).not.toMatch(/[O0Il1|`'"]/)
      seen.add(password ?? '')
    }
    expect(seen.size).toBe(200)
  })
  test('aren’t generated for patterns that random ones don’t match', () =>
    expect(generatePassword(rules({ custom: [{ pattern: '^never$', title: '' }] }), randomInt)).toBeNull())
})
