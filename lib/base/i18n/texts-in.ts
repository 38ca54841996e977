import { createTranslator, type Messages } from 'next-intl'
import type { TextLocale } from './choose-locale'
import { loadMessages, wordLocale } from './messages'

/** Returns all texts in a locale, or in the default one if it has no texts, outside a page. */
export const textsIn = async (locale: string) => {
  const known = (await wordLocale(locale)) as TextLocale
  return createTranslator({ locale: known, messages: (await loadMessages(known)) as Messages })
}
