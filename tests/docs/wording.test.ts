import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { textLocales } from '@/lib/base/i18n/choose-locale'

type Tree = { [key: string]: Tree | string }
const flat = (tree: Tree, prefix: string): [string, string][] =>
  Object.entries(tree).flatMap(([key, text]): [string, string][] =>
    typeof text === 'string' ? [[`${prefix}.${key}`, text]] : flat(text, `${prefix}.${key}`),
  )
/** All texts of a language, each with its file and key. */
const textsOf = (locale: string) =>
  readdirSync(`messages/${locale}`)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => flat(JSON.parse(readFileSync(`messages/${locale}/${name}`, 'utf8')), name))

const always = {
  'two spaces': / {2}/,
  'a space that loading puts in (lib/base/i18n/typography.ts)': /[\u00a0\u202f\u2011]/,
  'a space before a mark': / [,.;:?!…](?!\d)/,
  'an exclamation mark': /!/,
  'three dots in place of …': /\.\.\./,
  'a hyphen in place of a dash': / [-–] |^[-–] /,
  'a straight quote': /["']/,
}
const rules = {
  ru: {
    ...always,
    'SMS in place of СМС': /sms/i,
    'a quote of another language': /[“”„‘’]/,
    'a word that adds nothing': /успешн|пожалуйста|к сожалению|внимание!/i,
    'another word for an alias, a schema of sign-in, a digest or a sign': /псевдоним|аутентификац|дайджест|символ/i,
    'выключить in place of отключить': /(?<!\p{L})выключ(?!ить переключатель|енный — тоже)/iu,
    'the letter е for ё':
      /(?<!\p{L})(?:еще|ее|все еще|учетн\p{L}+|истек(?!\p{L})|черн(?:ый|ого|ом)|придет|найден[ыо]? еще)(?!\p{L})/iu,
    'a guess at the gender': /\p{L}(?:\(а\)|\(ла\)|\(ась\))/u,
    'English words, but for a command': /(?<![\w-])(?<!platform -- )(?!npm |run )[a-z]{2,} [a-z]{2,}(?!\w)/,
  },
  en: {
    ...always,
    'a quote of another language': /[«»„]/,
    'a word that adds nothing': /\bsuccessfully\b|\bplease\b|\bsorry\b|\boops\b/i,
    'email in place of e-mail': /\bemail/i,
    'mail in place of e-mail, for a single one':
      /(?<!-)\bmails\b|\b(?:a|the last|this|that|one) mail\b(?! (?:server|program))/i,
    'another word for enable and disable': /\bswitch(?:ed)? (?:it |one )?(?:on|off)\b/i,
    'another word for a schema of sign-in, a system role or a duplicate':
      /authentication schema|systemic|\bdoubles?\b/i,
    'a phrase that natives don’t use': /\bmend\b|\blower-case\b|\bgo(?:es)? on\b|could not/i,
    'British spelling': /\b\w*(?:colour|cancelled|organis|behaviour|licence)/i,
  },
}

/** A message without the parts that ICU reads: arguments and tags, which `mark` stands for, and branch names. */
const prose = (message: string, mark = 'X') =>
  message
    .replace(/<\/?\w+>/g, mark)
    .replace(/\{\w+(?:, (?:number|date|time)[^}]*)?\}/g, mark)
    .replace(/\{\w+, (?:select|plural), ?|\w+ \{|\}/g, '')

/** What has one name in every language: products, formats and the like. */
const names = [
  ...['CSV', 'HTML', 'Markdown', 'OpenID', 'PKCE', 'Userinfo', 'Swagger', 'Compodoc', 'PostgreSQL', 'Redis'],
  ...['Keycloak', 'Node.js', 'Next.js', 'Python', 'Spring', 'Telegram', 'WhatsApp', 'Viber', 'MAX'],
]

it('Russian texts have Russian letters, but for names', () => {
  const isName = (words: string) => names.includes(words) || /^[a-z]+\.csv$/.test(words)
  const foreign = textsOf('ru').filter(([, text]) => {
    const words = prose(text, ' ').trim()
    return /[a-z]/i.test(words) && !/[а-яё]/i.test(words) && !isName(words)
  })
  expect(foreign).toEqual([])
})

it('English texts have no Russian letters, but for examples of a language in itself', () => {
  const mixed = textsOf('en').filter(([key, text]) => /[а-яё]/i.test(text) && !/\.locales\./.test(key))
  expect(mixed).toEqual([])
})

describe.each(textLocales)('texts in %s', (locale) => {
  it.each(Object.entries(rules[locale]))('don’t contain %s', (_, wrong) => {
    expect(textsOf(locale).filter(([, text]) => wrong.test(prose(text)))).toEqual([])
  })

  it('write times on one clock', () => {
    const times = textsOf(locale).flatMap(([, text]) => [...text.matchAll(/time, ::(\w+)/g)].map(([, form]) => form))
    expect(new Set(times)).toEqual(new Set([locale === 'ru' ? 'HHmm' : 'hmm']))
  })
})
