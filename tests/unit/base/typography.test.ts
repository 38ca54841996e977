import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it, test } from 'vitest'
import { textLocales } from '@/lib/base/i18n/choose-locale'
import { loadMessages } from '@/lib/base/i18n/messages'
import { softened, typographic, typographicMessages } from '@/lib/base/i18n/typography'

// the parser with which next-intl parses messages at build
const fromNextIntl = createRequire(createRequire(import.meta.url).resolve('next-intl'))
const { default: parse } = (await import(fromNextIntl.resolve('icu-minify/compile'))) as {
  default: (message: string) => unknown
}

const plain = (text: string) => text.replaceAll('\u00a0', ' ')
/** Marks unbreakable spaces, so that a failure is readable. */
const marked = (text: string) => typographic(text).replaceAll('\u00a0', '_')

type Tree = { [key: string]: Tree | string }
const flat = (tree: Tree): string[] => Object.values(tree).flatMap((one) => (typeof one === 'string' ? one : flat(one)))
const sources = textLocales.flatMap((locale) =>
  readdirSync(`messages/${locale}`)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => flat(JSON.parse(readFileSync(`messages/${locale}/${name}`, 'utf8')))),
)

/** Random messages of short words, numbers, dashes, arguments, branches and tags. */
function randomMessages(count: number): string[] {
  let seed = 1
  const below = (limit: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % limit
  }
  const pieces = [
    ...[
      'в',
      'и',
      'на',
      'Не',
      'же',
      'дом',
      'водой',
      '24',
      '№',
      '5 %',
      '—',
      '«я»',
      '(с',
      'по-',
      'кто-то',
      '  ',
      ' ',
      ' ',
    ],
    ...[
      '{name}',
      '{size, number}',
      '{date, date, ::dMMMM}',
      '<link>в дом</link>',
      '{one, select, a {и я} other {в #}}',
    ],
    '{count, plural, one {# минуту и} few {# минуты} many {в # минут} other {{name} и # минуты — в}}',
  ]
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + below(9) }, () => pieces[below(pieces.length)]).join(below(3) === 0 ? '' : ' '),
  )
}

describe('typographic', () => {
  it.each([
    ['Войти в портал и выйти', 'Войти в_портал и_выйти'],
    ['и в дом', 'и_в_дом'],
    ['Если вы не ждали, что же это', 'Если вы не_ждали, что_же это'],
    ['Полярис — вход', 'Полярис_— вход'],
    ['Через 10 минут, 24 часа, 15 %', 'Через 10_минут, 24_часа, 15_%'],
    ['+7 900 000-00-00', '+7_900_000-00-00'],
    ['at least 8 characters — or so', 'at least 8_characters_— or so'],
    ['кое-кто по-русски, из-за водой', 'кое-кто по-русски, из-за водой'],
    ['не длиннее', 'не_длиннее'],
    ['a b–c', 'a b–c'],
  ])('%s', (text, expected) => {
    expect(marked(text)).toBe(expected)
  })

  test('changes only spaces in any message, and nothing the second time', () => {
    for (const message of [...sources, ...randomMessages(3000)]) {
      const done = typographicMessages(message)
      expect(plain(done)).toBe(message)
      expect(typographicMessages(done)).toBe(done)
      expect(typographic(typographic(message))).toBe(typographic(message))
    }
  })

  test('does the same to a message in its source and parsed at build', () => {
    for (const message of [...sources, ...randomMessages(3000)]) {
      const parsed = parse(message)
      expect(typographicMessages(parsed), message).toEqual(parse(typographicMessages(message)))
      expect(typographicMessages(typographicMessages(parsed)), message).toEqual(typographicMessages(parsed))
    }
  })

  test('leaves arguments, branches, skeletons and tags unchanged', () => {
    const message =
      'в {name} и {n, plural, one {# минуту} other {# минуты}} с {d, date, ::d MMMM} на <a>{x, select, в {и в} other {}}</a>'
    expect(plain(typographicMessages(message))).toBe(message)
    expect(typographicMessages(message).replaceAll('\u00a0', '_')).toBe(
      'в_{name} и_{n, plural, one {#_минуту} other {#_минуты}} с_{d, date, ::d MMMM} на_<a>{x, select, в {и_в} other {}}</a>',
    )
  })
})

test('is applied to messages when they are loaded, but not to SMS, which would leave their alphabet', async () => {
  for (const locale of textLocales) {
    const { sms, mail } = (await loadMessages(locale)) as unknown as Record<string, Tree>
    expect(JSON.stringify(sms)).not.toContain('\u00a0')
    expect(JSON.stringify(mail)).toMatch(/# *\u00a0?\p{L}/u)
    expect(JSON.stringify(mail)).not.toMatch(/# \p{L}/u)
  }
})

test('long words of labels may break between syllables, others don’t', () => {
  const parts = (label: string) => softened(label).split('\u00ad')
  expect(parts('Пользовательское соглашение')).toEqual(['Пользо', 'ва', 'тельское соглашение'])
  expect(parts('Администрирование')).toEqual(['Адми', 'нистри', 'ро', 'вание'])
  expect(parts('Internationalization')).toEqual(['Interna', 'tio', 'na', 'li', 'za', 'tion'])
  expect(parts('Сетевые алиасы')).toEqual(['Сетевые алиасы'])
})
