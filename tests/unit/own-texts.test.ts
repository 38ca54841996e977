import { createTranslator } from 'next-intl'
import { expect, test } from 'vitest'
import { messageSource } from '@/lib/kernel/i18n/message-source'
import { messageSources } from '@/lib/kernel/i18n/messages'
import { textFault } from '@/lib/platform/locale-texts/check'
import { caseNumbers, eachRound, shareOf } from '../factories/random-cases'

// rules: docs/rules/texts-and-look.md#own-texts

const { default: compile } = (await import('icu-minify/compile')) as { default: (text: string) => unknown }
const code = (text: string, source: string) => textFault(text, source)?.code

test('every shipped text may stand in its own place, as written and as the build parses it', async () => {
  for (const [key, source] of await messageSources('ru')) {
    expect(textFault(source, source), key).toBeNull()
    const parsed = messageSource(compile(source))
    expect(textFault(parsed, source), `${key}: ${parsed}`).toBeNull()
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
