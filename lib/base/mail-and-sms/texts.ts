import { createTranslator } from 'next-intl'
import type { TextLocale } from '../i18n/choose-locale'
import { loadMessages, withMessageTexts, wordLocale } from '../i18n/messages'
import { domainTexts, type OwnTexts } from '../i18n/own-texts'
import { type Words, wordsOf } from '../i18n/words'
import { unlinked } from './values'

/** Texts that override those of the language: the domain's own ones, and over these the `tried` ones of a preview. */
export type TextOverrides = { domainId?: string | undefined; tried?: OwnTexts | undefined }

/** A translator, and the texts that override those of its language: after a change these are another map. */
type CachedTranslator = { over: OwnTexts; translate: Words }
/**
 * Translators by the texts of the language, which are another object after a change, then by language, namespace, zone
 * and domain. A translator caches what it has parsed, so that many mails of one kind share it.
 */
const translators = new WeakMap<object, Map<string, CachedTranslator>>()
/** More than the combinations of zones and domains for which a process usually writes. */
const maxTranslators = 200
const noTexts: OwnTexts = new Map()

/**
 * Returns the texts of mails or SMS in a locale, or in the default one, with times in a zone: the domain's own texts,
 * else those of the locale. Mail programs won't turn a part of them into a link (docs/rules/messages.md#own-words).
 * Keys contain the template's name, so the compiler can't check them; tests/unit/base/mail-templates.test.ts renders every
 * template.
 */
export async function texts(
  locale: string,
  namespace: 'mail' | 'sms',
  timeZone: string,
  { domainId, tried }: TextOverrides = {},
): Promise<{ translate: Words; locale: string }> {
  const textsOfDomain = domainId ? await domainTexts(domainId, locale) : noTexts
  const ownTexts: OwnTexts = tried?.size ? new Map([...textsOfDomain, ...tried]) : textsOfDomain
  const over = ownTexts.size > 0 ? ownTexts : noTexts
  const knownLocale = over.size > 0 ? locale : await wordLocale(locale)
  const messages = await loadMessages(knownLocale)
  const cachedTranslators = translators.get(messages) ?? new Map<string, CachedTranslator>()
  const key = `${knownLocale} ${namespace} ${timeZone} ${domainId}`
  const cachedTranslator = cachedTranslators.get(key)
  if (cachedTranslator?.over === over) return { translate: cachedTranslator.translate, locale: knownLocale }
  const translator = wordsOf(
    createTranslator({
      locale: knownLocale as TextLocale,
      timeZone,
      messages: (await withMessageTexts(messages, namespace, over)) as Record<string, object>,
      namespace,
      onError(error) {
        throw error
      },
    }),
  )
  const has = (key: string) => translator.has(key)
  const translate: Words = Object.assign((...args: Parameters<Words>) => unlinked(translator(...args)), { has })
  if (!tried?.size) {
    if (cachedTranslators.size >= maxTranslators) cachedTranslators.clear()
    translators.set(messages, cachedTranslators.set(key, { over, translate }))
  }
  return { translate, locale: knownLocale }
}
