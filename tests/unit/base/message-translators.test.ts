import { afterEach, expect, test } from 'vitest'
import { type OwnTexts, setDomainTextsSource, setOwnTextsSource } from '@/lib/base/i18n/own-texts'
import { texts } from '@/lib/base/mail-and-sms/texts'
import { caseNumbers, eachRound } from '../../factories/random-cases'

const none: OwnTexts = new Map()
afterEach(() => {
  setDomainTextsSource(async () => none)
  setOwnTextsSource(async () => none)
})
const heading = 'firstEntry.heading'
const headingIn = async (...given: Parameters<typeof texts>) =>
  (await texts(...given)).translate(heading, { project: 'Полярис' })

test('mails of one language, zone and domain share a translator', async () => {
  const one = await texts('ru', 'mail', 'Europe/Moscow', { domainId: 'one' })
  expect((await texts('ru', 'mail', 'Europe/Moscow', { domainId: 'one' })).translate).toBe(one.translate)
  for (const other of [
    texts('en', 'mail', 'Europe/Moscow', { domainId: 'one' }),
    texts('ru', 'sms', 'Europe/Moscow', { domainId: 'one' }),
    texts('ru', 'mail', 'Asia/Omsk', { domainId: 'one' }),
  ])
    expect((await other).translate).not.toBe(one.translate)
})

test('a text that somebody changes is there at once, for its domain alone, and as long as it is', async () => {
  const shipped = await headingIn('ru', 'mail', 'Europe/Moscow', { domainId: 'one' })
  const ownTexts = new Map([[`mail.${heading}`, 'Своё']])
  setDomainTextsSource(async (id) => (id === 'one' ? ownTexts : none))
  expect(await headingIn('ru', 'mail', 'Europe/Moscow', { domainId: 'one' })).toBe('Своё')
  expect(await headingIn('ru', 'mail', 'Europe/Moscow', { domainId: 'two' })).toBe(shipped)
  setDomainTextsSource(async (id) => (id === 'one' ? new Map([[`mail.${heading}`, 'Новое']]) : none))
  expect(await headingIn('ru', 'mail', 'Europe/Moscow', { domainId: 'one' })).toBe('Новое')
  setDomainTextsSource(async () => none)
  expect(await headingIn('ru', 'mail', 'Europe/Moscow', { domainId: 'one' })).toBe(shipped)
  setOwnTextsSource(async () => new Map([[`mail.${heading}`, 'Общее']]))
  expect(await headingIn('ru', 'mail', 'Europe/Moscow', { domainId: 'one' })).toBe('Общее')
})

test('a text that is only tried stays with whoever tries it', async () => {
  const given = ['ru', 'mail', 'Europe/Moscow'] as const
  const shipped = await headingIn(...given, { domainId: 'three' })
  const tried = new Map([[`mail.${heading}`, 'Проба']])
  expect(await headingIn(...given, { domainId: 'three', tried })).toBe('Проба')
  expect(await headingIn(...given, { domainId: 'three' })).toBe(shipped)
})

test('whatever is changed, tried and asked for in between, everybody gets their own text', async () => {
  const below = caseNumbers(77)
  const one = <T>(...list: readonly T[]): T => list[below(list.length)] as T
  const shipped = { ru: await headingIn('ru', 'mail', 'UTC'), en: await headingIn('en', 'mail', 'UTC') }
  const ofLanguage = new Map<string, OwnTexts>()
  const ofDomain = new Map<string, OwnTexts>()
  setOwnTextsSource(async (locale) => ofLanguage.get(locale) ?? none)
  setDomainTextsSource(async (id, locale) => ofDomain.get(`${id} ${locale}`) ?? none)
  const text = (): OwnTexts => new Map([[`mail.${heading}`, `T${below(1_000_000)}`]])
  const headingOf = (ownTexts: OwnTexts | undefined) => ownTexts?.get(`mail.${heading}`)
  const change = (of: Map<string, OwnTexts>, key: string) => (below(3) === 0 ? of.delete(key) : of.set(key, text()))
  const zones = ['UTC', 'Europe/Moscow', 'Asia/Omsk'] as const
  for (const _ of eachRound(200)) {
    const [language, domain] = [one('ru', 'en', 'de'), `d${below(60)}`]
    if (below(8) === 0) change(ofLanguage, language)
    for (let n = 0; n < 3; n++) change(ofDomain, `d${below(60)} ${language}`)
    // many at once, more domains and zones than are kept
    const asked = Array.from({ length: 12 }, () => {
      const [locale, domainId] = one([language, domain], [one('ru', 'en', 'de'), `d${below(60)}`])
      const tried = below(6) === 0 ? text() : undefined
      // a language without any texts is told in the default one
      const ownText = ofLanguage.get(locale) ?? ofLanguage.get(locale === 'en' ? 'en' : 'ru')
      const inLanguage = headingOf(ownText) ?? shipped[locale === 'en' ? 'en' : 'ru']
      const expected = headingOf(tried) ?? headingOf(ofDomain.get(`${domainId} ${locale}`)) ?? inLanguage
      return { expected, got: headingIn(locale, 'mail', one(...zones), { domainId, tried }) }
    })
    for (const { expected, got } of asked) expect(await got).toBe(expected)
  }
})
