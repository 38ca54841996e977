import { createTranslator } from 'next-intl'
import { expect, test } from 'vitest'
import { messageSources } from '@/lib/base/i18n/messages'
import { messageSource } from '@/lib/base/i18n/parsed-messages'
import { ownTextFault } from '@/lib/messaging/locale-texts/check'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'

// rules: docs/rules/texts-and-look.md#own-texts

const { default: compile } = (await import('icu-minify/compile')) as { default: (text: string) => unknown }
const textFault = (text: string, source: string) => ownTextFault('entry.id.title', text, source)
const code = (text: string, source: string) => textFault(text, source)?.code

test('every shipped text may stand in its own place, as written and as the build parses it', async () => {
  for (const [key, source] of await messageSources('ru')) {
    expect(ownTextFault(key, source, source), key).toBeNull()
    const parsed = messageSource(compile(source))
    expect(ownTextFault(key, parsed, source), `${key}: ${parsed}`).toBeNull()
    // what the printed text gives is what the text itself gives
    expect(compile(parsed), key).toEqual(compile(source.replaceAll('\u00a0', ' ')))
  }
})

test('a text that isn’t a message is refused with the place of the fault', () => {
  expect(textFault('Сәлем {name', 'Привет, {name}')).toMatchObject({ code: 'errorTextSyntax', params: { line: 1 } })
  expect(textFault('бір\n{count, plural, one {#}}', '{count, plural, one {#} other {#}}\n')).toMatchObject({
    code: 'errorTextSyntax',
    params: { line: 2 },
  })
  for (const text of [
    '{',
    '}',
    '<a',
    '{a, plural}',
    '{a, plural, offset:1 one {#} other {#}}',
    '{, select}',
    '<a></b>',
  ])
    expect(code(text, '{a, plural, one {#} other {#}} <a>x</a>'), text).toMatch(/^errorText/)
})

test('a mail or an SMS has no address, in whichever part of it and whatever stands for its names', () => {
  const source = '{code} {minutes, plural, one {#} other {#}} {project} {company}'
  const fault = (text: string) => ownTextFault('mail.signInCode.subject', `{code} {project} ${text}`, source)?.code
  for (const honest of [
    'т. д., т.е. 3.14, 28.11.2026 и 12:30. Конец.',
    'А.С. Пушкин: «{company}», {minutes, plural, one {# минута} other {# минут}}.',
    'и/или — да; a@ b',
    'Chrome 140.0, {minutes}.',
  ])
    expect(fault(honest), honest).toBeUndefined()
  for (const address of [
    'https://evil.example/c',
    'evil://x',
    'www.evil.example',
    'Зайдите на evil.рф',
    'xn--e1afmkfd.xn--p1ai/c',
    'a@evil.example',
    '203.0.113.7/c',
    'i❤.ws/c',
    'evil．com',
    'evil。com',
    'ｅｖｉｌ.ｃｏｍ',
    'evil\u2060.\u200bcom',
    'tel:+79001234567',
    'Mailto:a',
    '{company}.example',
    'evil.{company}',
    '{company}.{project}',
    '{minutes, plural, one {https:} other {http:}}//evil',
    '{minutes, plural, one {x} other {evil}}{minutes, plural, one {y} other {.exam}}ple',
    `${Array.from({ length: 5 }, () => '{minutes, plural, =1 {a} =2 {b} =3 {c} other {d}}').join('')}`,
  ])
    expect(fault(address), address).toBe('errorTextAddress')
  const attached = (text: string) => ownTextFault('sms.signInCode', text, '{code} {project}')
  for (const text of ['«{code}»: {project}', 'Код {code}.', '{code}, {project}', '({code})', '{code}\n'])
    expect(attached(text.trim()), text).toBeNull()
  for (const text of [
    'c/{code}',
    'код{code}',
    '{code}.рф',
    '{code}/x',
    '?c={code}',
    '{code}{code}x',
    'a.{code}',
    '{code}-я',
    'x,{code}',
    '!{code}',
    ';{code}',
    '{code},x',
    '❤{code}',
  ])
    expect(attached(text), text).toEqual({ code: 'errorTextAttached', params: { name: 'code' } })
  // a page may name where something is
  expect(ownTextFault('entry.id.title', 'https://polaris.example', 'x')).toBeNull()
})

test('tags and arguments are those of the source, shown in ways that their values allow', () => {
  const source = 'Привет, <b>{name}</b>: {count, plural, one {# раз} other {# раза}} с {since, date}'
  expect(code('<b>{name}</b> {count} {since, date}', source)).toBeUndefined()
  expect(code('<b>x</b> {count, number}', source)).toBeUndefined()
  const wrong: [string, string][] = [
    ['<script>alert(1)</script> <b>x</b>', 'errorTextTag'],
    ['<b>x</b> <img></img>', 'errorTextTag'],
    ['<constructor>x</constructor><b>x</b>', 'errorTextTag'],
    ['{name}', 'errorTextNoTag'],
    ['<b>{password}</b>', 'errorTextArgument'],
    ['<b>{__proto__}</b>', 'errorTextArgument'],
    ['<b>{count, select, other {{secret}}}</b>', 'errorText'],
    ['<b>{name, plural, other {#}}</b>', 'errorTextKind'],
    ['<b>{name, date}</b>', 'errorTextKind'],
    ['<b>{since}</b>', 'errorTextKind'],
    ['<b>{count, number, ::currency/USD}</b>', 'errorTextKind'],
    ['<b>{name}\n</b>', 'errorTextLines'],
  ]
  for (const [text, expected] of wrong) expect(code(text, source), text).toMatch(new RegExp(expected))
})

test('of random mutilations of shipped texts each is refused, or can be shown', async () => {
  const sources = [...(await messageSources('ru'))].filter(([, source]) => /[{<]/.test(source))
  const random = caseNumbers(7)
  const signs = ['{', '}', '<', '>', "'", '#', '{x}', ', plural, ', '<b>', '</b>', '{count}', '\u0000']
  let accepted = 0
  for (const _ of eachRound(2000)) {
    const [, source] = sources[random(sources.length)] as [string, string]
    const at = random(source.length + 1)
    const text = source.slice(0, at) + signs[random(signs.length)] + source.slice(at + random(4))
    if (textFault(text, source)) continue
    accepted++
    const values = Object.fromEntries(
      [...source.matchAll(/{(\w+)(?:, (\w+))?/g)].map(([, name, kind]) => [name ?? '', valueOfKind(kind)]),
    )
    const tags = Object.fromEntries(
      [...source.matchAll(/<(\w+)>/g)].map(([, tag]) => [tag ?? '', (words: string) => words]),
    )
    const t = createTranslator({
      locale: 'ru',
      messages: { text },
      timeZone: 'UTC',
      onError: (error) => {
        throw new Error(`${text}: ${error.message}`)
      },
    }) as unknown as { markup: (key: string, values: object) => string }
    expect(t.markup('text', { ...values, ...tags })).toBeTypeOf('string')
  }
  expect(accepted).toBeGreaterThan(shareOf(50))
})

const valueOfKind = (kind: string | undefined) =>
  kind === 'plural' || kind === 'number' ? 3 : kind === 'date' || kind === 'time' ? new Date(0) : 'x'
