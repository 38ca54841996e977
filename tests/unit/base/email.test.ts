import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { asciiEmail, emailOf, loginOf, mailDomain, spelledEmail } from '@/lib/base/text/email'
import { caseNumbers, eachRound } from '../../factories/random-cases'

// E-mails of international domains (docs/rules/sign-in.md#e-mails-of-international-domains).

const ascii = 'ivan@xn--80a1acny.xn--p1ai'

describe('an e-mail of an international domain', () => {
  test.each([
    'ivan@почта.рф',
    'Ivan@ПОЧТА.РФ',
    ' ivan@xn--80a1acny.xn--p1ai ',
    'ivan@XN--80A1ACNY.xn--P1AI',
    'ivan@почта.xn--p1ai',
    'ivan@xn--80a1acny.рф',
    // dots as keyboards of other scripts write them
    'ivan@почта\u3002рф',
    'ivan@почта\uff0eрф',
    'ivan@xn--80a1acny\uff61xn--p1ai',
  ])('%s is one', (typed) => expect(emailOf(typed)).toBe('ivan@почта.рф'))

  test('is sent to and compared as the domain name system knows it', () => {
    expect(asciiEmail('ivan@почта.рф')).toBe(ascii)
    expect(asciiEmail('ivan@polaris.example')).toBe('ivan@polaris.example')
    expect(emailOf('x@bu\u0308cher.example')).toBe('x@bücher.example')
    expect(asciiEmail('x@bücher.example')).toBe('x@xn--bcher-kva.example')
    expect(emailOf('x@xn--bcher-kva.example')).toBe('x@bücher.example')
    expect(emailOf('x@例え.jp')).toBe('x@例え.jp')
  })
  test.each([
    // Cyrillic letters between Latin ones
    'x@gооgle.example',
    // Cyrillic letters that all look Latin, below a Latin domain
    'x@сосо.example',
    'x@xn--ggle-55da.example',
  ])('%s is stored in ASCII, because it looks like another', (typed) => {
    expect(emailOf(typed)).toBe(asciiEmail(typed))
    expect(emailOf(typed)).toMatch(/^x@xn--/)
  })
  test.each([
    'ivan@почта',
    'ivan@почта..рф',
    'ivan@.рф',
    'ivan@почта.рф.',
    'ivan@по чта.рф',
    'ivan@поч_та.рф',
    'ivan@-почта.рф/x',
    'ivan@почта.рф:25',
    'ivan＠почта.рф',
    'ivan@-почта.рф',
    'ivan@почта-.рф',
    'ivan@a.-почта.рф',
    'ivan@xn----7sbg0aulf.рф-',
    'ivan@-mail.example',
    'ivan@mail\u3002\u3002рф',
    'ivan@ｐｏｃｈｔａ.рф',
    'ivan@поч\u00adта.рф',
    'ivan@поч\u200dта.рф',
    'иван@почта.рф',
    'ivan@a@почта.рф',
    `ivan@${'п'.repeat(64)}.рф`,
    `${'i'.repeat(240)}@почта.рф`,
    '@почта.рф',
  ])('%s is none', (typed) => expect(emailOf(typed)).toBeNull())

  test('is a login in the same spelling', () => {
    expect(loginOf(' IVAN@xn--80a1acny.xn--p1ai')).toBe('ivan@почта.рф')
    expect(loginOf('Ivan.Petrov')).toBe('ivan.petrov')
  })
  test('keeps the case of what stands before the @, where texts keep theirs', () =>
    expect(spelledEmail('Ivan@ПОЧТА.рф')).toBe('Ivan@почта.рф'))
})

test('e-mails of other domains are what they were', () => {
  const random = caseNumbers(20_261_145)
  const any = <T>(of: readonly T[]) => of[random(of.length)] as T
  const part = () => Array.from({ length: 1 + random(5) }, () => any([...'abzAZ019._-+@ \'"'])).join('')
  for (const _ of eachRound(3_000)) {
    const typed = `${part()}@${part()}.${any(['ru', 'example', 'c', 'co.uk', 'x1', 'XN', '1'])}`
    const expected = z.email().max(254).safeParse(typed.trim()).success ? typed.trim().toLowerCase() : null
    expect([typed, emailOf(typed)]).toEqual([typed, expected])
  }
})

test('both spellings of any domain are one, and that one is stable', () => {
  const random = caseNumbers(20_261_146)
  const letters = [...'абвгдеёжзийклмнопрстуфхцчшщъыьэюяabcdefxyzüößéαβγσς漢字かなñçłІїґ0179-']
  const label = () => Array.from({ length: 1 + random(6) }, () => letters[random(letters.length)]).join('')
  let spelled = 0
  for (const _ of eachRound(3_000)) {
    const typed = `x@${label()}.${label()}`
    const email = emailOf(typed)
    if (email === null) continue
    spelled++
    expect([typed, emailOf(email)]).toEqual([typed, email])
    expect([typed, emailOf(asciiEmail(email))]).toEqual([typed, email])
    expect([typed, emailOf(typed.normalize('NFD'))]).toEqual([typed, email])
    expect(asciiEmail(email)).toMatch(/^[\x21-\x7e]+$/)
  }
  expect(spelled).toBeGreaterThan(100)
})

test.each(['xn--999999999.com', 'xn--0.com', 'xn--.com', 'xn--80a1acny-.com'])(
  '%s, which stands for no letters, stays as an earlier version stored it',
  (domain) => {
    expect(mailDomain(domain)).toBe(domain)
    expect(emailOf(`x@${domain}`)).toBe(`x@${domain}`)
  },
)
