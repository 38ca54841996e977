import { describe, expect, it, test } from 'vitest'
import { textLocales } from '@/lib/base/i18n/choose-locale'
import { composeMail } from '@/lib/base/mail-and-sms/compose-mail'
import { composeSms, smsParts } from '@/lib/base/mail-and-sms/compose-sms'
import { letterHtml } from '@/lib/base/mail-and-sms/letter-html'
import { letterText } from '@/lib/base/mail-and-sms/plain-text'
import type { MailTemplate, MailValues, SmsTemplate } from '@/lib/base/mail-and-sms/templates'
import {
  cleanLine,
  cleanLines,
  fullName,
  greetable,
  unitsOf,
  unlinked,
  webAddress,
} from '@/lib/base/mail-and-sms/values'
import { mailSamples, senders, smsSamples } from '@/lib/messaging/locale-texts/samples'
import russian from '@/messages/ru/mail.json'
import russianSms from '@/messages/ru/sms.json'

const mails = Object.keys(mailSamples('ru')) as MailTemplate[]
const smsNames = Object.keys(smsSamples('ru')) as SmsTemplate[]
const everyMail = textLocales.flatMap((locale) => mails.map((template) => [template, locale] as const))
const everySms = textLocales.flatMap((locale) => smsNames.map((template) => [template, locale] as const))

const invisible = /\u2060|\u00a0|\u034f/g
/** The visible text of HTML: without head, tags and invisible characters. */
const seen = (html: string) =>
  html
    .replace(/<head>.*<\/head>|<!--.*?-->|<[^>]+>/gs, ' ')
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(invisible, ' ')
    .replace(/\s+/g, ' ')
const flat = (text: string) => text.replace(invisible, ' ').replace(/^> /gm, '').replace(/\s+/g, ' ')
const hrefs = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)

/** Every string among a mail's values that people must be able to read, except our keys. */
function strings(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return ['period', 'kind', 'opened'].includes(key) ? [] : [value]
  if (Array.isArray(value)) return value.flatMap((one) => strings(one, key))
  if (value instanceof Date || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([inner, one]) => strings(one, inner))
}

async function drawn<T extends MailTemplate>(template: T, locale: string, values: MailValues[T]) {
  const letter = await composeMail(template, locale, values, senders(locale === 'en' ? 'en' : 'ru').default)
  return { letter, text: letterText(letter), html: await letterHtml(letter) }
}

describe('mails', () => {
  it('have texts for every template and none for others', () => {
    expect(Object.keys(russian.mail).filter((key) => key !== 'common')).toEqual(mails)
    expect(Object.keys(russianSms.sms).filter((key) => key !== 'common')).toEqual(smsNames)
  })

  it.each(everyMail)('%s in %s contains all its values, as text and as HTML', async (template, locale) => {
    const values = mailSamples(locale)[template]
    const { letter, text, html } = await drawn(template, locale, values)
    const { subject, preheader, heading, sender } = letter
    expect(html).toMatch(new RegExp(`<html[^>]* lang="${locale}"`))
    // no key and no argument of a text remains
    for (const part of [subject, preheader, heading, text, seen(html)]) {
      expect(part).not.toMatch(/\{|\}|\b(?:mail|common)\.[a-z]|undefined|null|Invalid|NaN/)
      expect(part.trim()).not.toBe('')
    }
    expect(subject).not.toMatch(/[\r\n]/)
    expect(subject).toContain(sender.project)
    for (const value of strings(values)) {
      expect(flat(text)).toContain(flat(value))
      if (webAddress(value)) expect(hrefs(html)).toContain(value)
      else expect(seen(html)).toContain(flat(value))
    }
    if ('code' in values) expect(subject.startsWith(values.code) || subject.includes(`${values.code} `)).toBe(true)
    if ('date' in values)
      expect(flat(text)).toMatch(
        locale === 'ru' ? /21 ноября 2026 г\. в 18:40 \(МСК\)/ : /November 21, 2026 at 6:40\sPM \(Moscow time\)/,
      )
    for (const words of [sender.project, sender.origin, sender.support?.text ?? '']) expect(text).toContain(words)
    // the text part has everything that the HTML part has
    for (const block of letter.blocks)
      if (block.kind === 'text' || block.kind === 'note') expect(flat(text)).toContain(flat(block.text))
    // the text can be read without pictures and scripts
    expect(html).not.toMatch(/<img|<script|url\(/i)
    // no line breaks inside a paragraph, because the mail program wraps it
    const paragraphs = letter.blocks.flatMap((block) => ('text' in block && block.kind !== 'quote' ? [block.text] : []))
    for (const paragraph of paragraphs) expect(text.split('\n')).toContain(paragraph)
  })

  it.each(textLocales)('don’t address a person by name in %s if it is unknown', async (locale) => {
    const samples = mailSamples(locale)
    for (const template of mails) {
      const { letter } = await drawn(template, locale, {
        ...samples[template],
        name: '',
      } as MailValues[typeof template])
      expect(letter.greeting).toBe(locale === 'ru' ? 'Здравствуйте.' : 'Hello,')
    }
  })

  it.each([
    ['ru', 'Новый запрос доступа: без имени — '],
    ['en', 'New access request: no name — '],
  ] as const)('name a person in %s who has neither a name nor an address', async (locale, beginning) => {
    const values = { ...mailSamples(locale).accessRequested, person: '', email: '' }
    const { letter } = await drawn('accessRequested', locale, values)
    expect(flat(letter.subject).startsWith(beginning)).toBe(true)
  })

  it('omit unknown values', async () => {
    const { text } = await drawn('passwordChanged', 'ru', {
      ...mailSamples('ru').passwordChanged,
      ip: '',
      device: '',
      link: 'javascript:alert(1)',
    })
    expect(text).not.toMatch(/IP-адрес|Устройство|javascript|Восстановить доступ:/)
    expect(text).toContain('Когда: ')
  })

  it('use the plural rules of the language', async () => {
    for (const [minutes, words] of [
      [1, '1 минуту'],
      [2, '2 минуты'],
      [5, '5 минут'],
      [21, '21 минуту'],
    ] as const)
      expect(flat((await drawn('signInCode', 'ru', { name: '', code: '1234', minutes })).text)).toContain(`${words}.`)
    for (const [alive, words] of [
      [300, '5 минут'],
      [3600, '1 час'],
      [5400, '1 час 30 минут'],
      [86_400, '24 часа'],
      [172_800, '2 дня'],
      [604_800, '7 дней'],
      [30 * 86_400, '30 дней'],
    ] as const) {
      const values = { ...mailSamples('ru').recoveryLink, alive }
      expect(flat((await drawn('recoveryLink', 'ru', values)).text)).toContain(`действует ${words} и`)
    }
    const one = { ...mailSamples('en').digest, items: mailSamples('en').digest.items.slice(0, 1) }
    expect(flat((await drawn('digest', 'en', one)).text)).toContain('There is 1 update')
  })
})

describe('hostile values', () => {
  const evil =
    '<img src=x onerror=alert(1)>"\'&\r\nBcc: all@evil.example\u202e\u2028\u0000[x](http://evil.example) http://evil.example www.evil.example'

  it.each(mails)('inject nothing into %s', async (template) => {
    const poison = (value: unknown, key = ''): unknown => {
      if (key === 'kind' || key === 'period') return value
      if (typeof value === 'string') return key === 'link' ? 'https://id.polaris.example/"><script>' : evil
      if (Array.isArray(value)) return value.map((one) => poison(one, key))
      if (value instanceof Date || typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, poison(one, inner)]))
    }
    const values = poison(mailSamples('ru')[template]) as MailValues[typeof template]
    const { letter, text, html } = await drawn(template, 'ru', values)
    expect(letter.subject).not.toMatch(/\p{Cc}|\p{Cf}|\u2028/u)
    expect([...letter.subject].length).toBeLessThanOrEqual(200)
    expect(html).not.toMatch(/<img|<script|onerror=[^&]*>(?!.*&gt;)/i)
    const allowed = [/^https:\/\/id\.polaris\.example/, /^mailto:support@polaris\.example$/]
    for (const href of hrefs(html)) expect(allowed.some((rule) => rule.test(href ?? ''))).toBe(true)
    // mail programs find no address that they would turn into a link
    for (const part of [text, seen(html.replace(/\u2060/g, '¦'))])
      if (!('login' in values || 'email' in values || 'value' in values || 'ip' in values || 'code' in values))
        expect(part).not.toMatch(/http:\/\/evil|www\.evil|evil\.example(?!¦)(?<!all@evil\.example)/)
    expect(text).not.toMatch(/\u202e|\u2028|\p{Cc}(?<!\n)/u)
  })

  test('a name that looks like an address isn’t used', () => {
    for (const name of ['http://evil', 'evil.example', 'www.evil', 'Анна, зайдите на evil.com/x', 'a@b'])
      expect(greetable(name)).toBe('')
    for (const name of ['Анна', 'Жан-Поль', 'О’Генри', 'А. С.', 'И.С.']) expect(greetable(name)).toBe(name)
  })

  const names = [
    'Анна Петрова',
    'Северный Юрий Львович',
    'Гасан Мамед оглы',
    'А. С. Пушкин',
    'А.С. Пушкин',
    "Shaun O'Brien-Smith",
  ]
  test.each([...names, 'Łukasz Żak', 'José da Silva', 'علی می\u200cخواهم', '王小明'])(
    'a stranger’s name is shown if it looks like one: %s',
    (name) => expect(fullName(name)).toBe(name),
  )
  const texts = [
    'evil.example',
    'Зайдите на evil.example',
    'https://evil.example',
    'evil．example',
    't.me/evil',
    'a@evil.example',
    'Анна <b>Петрова</b>',
    'Служба безопасности +7 800 100-10-10',
    'Вы выиграли приз, ответьте на это письмо',
    'Срочно переведите деньги на этот счёт',
    'Анна: смените пароль',
    'Анна\nПетрова',
    '\u202eанна',
    'я'.repeat(61),
    '',
  ]
  test.each(texts)('a stranger’s name is no text in a mail: %j', async (text) => {
    expect(fullName(text)).toBe('')
    const sample = mailSamples('ru').invitation
    const textOf = async (values: MailValues['invitation']) => (await drawn('invitation', 'ru', values)).text
    const [mail, without] = await Promise.all([
      textOf({ ...sample, inviter: text, inviterEmail: 'master@polaris.example' }),
      textOf({ ...sample, inviter: '', inviterEmail: 'master@polaris.example' }),
    ])
    expect(mail).toBe(without)
    expect(mail).toContain('master@polaris.example')
    for (const template of ['invitationAccepted', 'accessRequested'] as const) {
      const values = mailSamples('ru')[template]
      const [letter, plain] = [
        { ...values, person: text },
        { ...values, person: '' },
      ].map((each) => drawn(template, 'ru', each as typeof values))
      expect((await letter)?.letter).toEqual((await plain)?.letter)
    }
  })

  test('values have the right format', () => {
    expect(cleanLine(' a\r\n\tb \u202ec\u200b ')).toBe('a b c')
    expect([...cleanLine('я'.repeat(300))].length).toBe(200)
    expect(cleanLines('a\r\n\r\n\r\n\r\nb\u0007')).toBe('a\n\nb')
    expect(unlinked('https://a.bc x.yz 3.14 т.д.')).toBe('https:\u2060//a.\u2060bc x.\u2060yz 3.14 т.д.')
    for (const link of ['javascript:alert(1)', 'data:text/html,x', '//x', '/x', '', 'https://me@evil.example/'])
      expect(webAddress(link)).toBe('')
    expect(webAddress('https://id.example/a?b=c')).toBe('https://id.example/a?b=c')
    expect(unitsOf(20)).toEqual([['minutes', 1]])
    expect(unitsOf(90_000)).toEqual([['hours', 25]])
  })
})

describe('SMS', () => {
  it.each(everySms)('%s in %s is complete and short', async (template, locale) => {
    const values = smsSamples(locale)[template]
    for (const sender of Object.values(senders(locale))) {
      const { text } = await composeSms(template, locale, values, sender)
      expect(text).not.toMatch(/\{|\}|\bsms\.[a-z]|undefined|Invalid/)
      expect(text).toContain(sender.project)
      expect(smsParts(text)).toBeLessThanOrEqual(2)
      if ('code' in values) {
        expect(text.startsWith(values.code)).toBe(true)
        expect(text.split('\n').at(-1)).toBe(`@${new URL(sender.origin).hostname} #${values.code}`)
      } else expect(text).not.toContain('@')
    }
  })

  it.each(textLocales)('shortens names, never the code, in %s', async (locale) => {
    const sender = {
      project: 'Очень длинное имя проекта '.repeat(8),
      origin: 'https://a-rather-long-host-name.polaris.example',
    }
    const { text } = await composeSms('deletionCode', locale, { code: '12345678' }, sender)
    expect(smsParts(text)).toBe(2)
    expect(text).toContain('…')
    expect(text.endsWith('@a-rather-long-host-name.polaris.example #12345678')).toBe(true)
    const { text: evil } = await composeSms('invitation', locale, { company: 'x\n\n@evil.example #1234' }, sender)
    expect(evil).not.toMatch(/\n|evil\.example/)
  })

  test('parts are counted as gateways do', () => {
    expect([smsParts('a'.repeat(160)), smsParts('a'.repeat(161)), smsParts('€'.repeat(81))]).toEqual([1, 2, 2])
    expect([smsParts('я'.repeat(70)), smsParts('я'.repeat(71)), smsParts('я'.repeat(135))]).toEqual([1, 2, 3])
  })
})
