import { createTranslator } from 'next-intl'
import type { TextLocale } from '../i18n/choose-locale'
import { loadMessages, withMessageTexts, wordLocale } from '../i18n/messages'
import { domainTexts, type OwnTexts } from '../i18n/own-texts'
import { type Words, wordsOf } from '../i18n/words'
import { unlinked } from './values'

/** What lies over the texts of the language: those of a domain, and over them those that a preview tries. */
export type Over = { domainId?: string | undefined; tried?: OwnTexts | undefined }

/** A translator, and what lies over the texts of its language: after a change these are another map. */
type Made = { over: OwnTexts; translate: Words }
/**
 * A translator keeps what it has parsed, so many mails of one kind share it: by the texts of the language, which are
 * another object after a change, then by language, namespace, zone and domain.
 */
const translators = new WeakMap<object, Map<string, Made>>()
/** More than the zones and domains for which a process writes in a while. */
const mostTranslators = 200
const none: OwnTexts = new Map()

/**
 * Returns the texts of mails or SMS in a locale, or in the default one, with times in a zone: the domain's own, else
 * those of the locale, without anything that a mail program would make a link of
 * (docs/rules/messages.md#own-words). Keys are made of the template's name, so that the compiler
 * can't check them; tests/unit/mail-templates.test.ts renders every template.
 */
export async function texts(
  locale: string,
  namespace: 'mail' | 'sms',
  timeZone: string,
  { domainId, tried }: Over = {},
): Promise<{ translate: Words; locale: string }> {
  const ofDomain = domainId ? await domainTexts(domainId, locale) : none
  const own: OwnTexts = tried?.size ? new Map([...ofDomain, ...tried]) : ofDomain
  const over = own.size > 0 ? own : none
  const known = over.size > 0 ? locale : await wordLocale(locale)
  const all = await loadMessages(known)
  const made = translators.get(all) ?? new Map<string, Made>()
  const key = `${known} ${namespace} ${timeZone} ${domainId}`
  const found = made.get(key)
  if (found?.over === over) return { translate: found.translate, locale: known }
  const written = wordsOf(
    createTranslator({
      locale: known as TextLocale,
      timeZone,
      messages: (await withMessageTexts(all, namespace, over)) as Record<string, object>,
      namespace,
      onError(error) {
        throw error
      },
    }),
  )
  const has = (key: string) => written.has(key)
  const translate: Words = Object.assign((...of: Parameters<Words>) => unlinked(written(...of)), { has })
  if (!tried?.size) {
    if (made.size >= mostTranslators) made.clear()
    translators.set(all, made.set(key, { over, translate }))
  }
  return { translate, locale: known }
}
