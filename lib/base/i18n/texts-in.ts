import { createTranslator, type Messages } from 'next-intl'
import type { TextLocale } from './choose-locale'
import { loadMessages, wordLocale } from './messages'

/** Returns a translator for all texts in a locale, or in the default one if it has none. For use outside of pages. */
export const textsIn = async (locale: string) => {
  const knownLocale = (await wordLocale(locale)) as TextLocale
  return createTranslator({ locale: knownLocale, messages: (await loadMessages(knownLocale)) as Messages })
}
