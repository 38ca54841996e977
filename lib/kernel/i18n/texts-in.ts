import { createTranslator, type Messages } from 'next-intl'
import { textLocales } from './choose-locale'
import { isTextLocale, loadMessages } from './messages'

/** Returns all texts in a locale, or in the default one, outside a page. */
export const textsIn = async (locale: string) => {
  const known = isTextLocale(locale) ? locale : textLocales[0]
  return createTranslator({ locale: known, messages: (await loadMessages(known)) as Messages })
}
