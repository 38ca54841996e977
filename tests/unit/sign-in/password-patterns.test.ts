import { expect, test } from 'vitest'
import { publicScript } from '@/components/plain/public-script'
import { type PasswordRules, passwordMarks, patternOf } from '@/lib/sign-in/passwords/rules'
import { caseNumbers } from '../../factories/random-cases'

const signs = [...'aZ9ЖжÄß!@#$%^&*()-_=+[]{}\\|;:\'",.<>/?~` \t🦊\uff21\uff11\uff01\u0301\u2028']
const below = caseNumbers(400)
const some = (most: number) => Array.from({ length: below(most + 1) }, () => signs[below(signs.length)] ?? '').join('')

test('the script of a page marks the same rules as the server, for every password', () => {
  for (let round = 0; round < 400; round++) {
    const rules: PasswordRules = {
      min: below(12) + 1,
      max: below(2) ? 12 + below(20) : null,
      symbols: some(8),
      uppercase: below(2) === 1,
      lowercase: below(2) === 1,
      numbers: below(2) === 1,
      custom: [{ pattern: '^[^A-Z]', title: 'x' }],
      generate: true,
    }
    const password = some(24)
    for (const { id, passed } of passwordMarks(rules, password))
      expect(
        new RegExp(patternOf(rules, id), 'u').test(password.normalize('NFKC')),
        `${id} ${JSON.stringify(rules)} ${JSON.stringify(password)}`,
      ).toBe(passed)
  }
})

test('the script of public pages is one program that needs nothing from outside', () => {
  expect(() => new Function(publicScript)).not.toThrow()
})
