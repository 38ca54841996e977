import { createTranslator } from 'next-intl'
import type { TextLocale } from '../i18n/choose-locale'
import { loadMessages, withMessageTexts, wordLocale } from '../i18n/messages'
import { domainTexts, type OwnTexts } from '../i18n/own-texts'
import { type Words, wordsOf } from '../i18n/words'

/** What lies over the texts of the language: those of a domain, and over them those that a preview tries. */
export type Over = { domainId?: string | undefined; tried?: OwnTexts | undefined }

/**
 * Returns the texts of mails or SMS in a locale, or in the default one, with times in a zone: the domain's own, else
 * those of the locale (docs/rules/messages.md#own-words). Keys are made of the template's name, so that the compiler
 * can't check them; tests/unit/mail-templates.test.ts renders every template.
 */
export async function texts(
  locale: string,
  namespace: 'mail' | 'sms',
  timeZone: string,
  { domainId, tried }: Over = {},
): Promise<{ translate: Words; locale: string }> {
  const ofDomain = domainId ? await domainTexts(domainId, locale) : undefined
  const over: OwnTexts = new Map([...(ofDomain ?? []), ...(tried ?? [])])
  const known = over.size > 0 ? locale : await wordLocale(locale)
  const translator = createTranslator({
    locale: known as TextLocale,
    timeZone,
    messages: (await withMessageTexts(await loadMessages(known), namespace, over)) as Record<string, object>,
    namespace,
    onError(error) {
      throw error
    },
  })
  return { translate: wordsOf(translator), locale: known }
}
