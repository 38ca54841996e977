import { createTranslator } from 'next-intl'
import type { TextLocale } from './choose-locale'
import { loadMessages, pickMessages, type TextFile, wordLocale } from './messages'
import { wordsOf } from './words'

/**
 * Returns a function that returns the text of an error code, for a file that a person downloads: from the texts that
 * any page may show and from these files of modules. A code without a text is an unknown error, as on pages.
 */
export async function errorWords(locale: string, ...files: TextFile[]) {
  const knownLocale = (await wordLocale(locale)) as TextLocale
  const messages = pickMessages(await loadMessages(knownLocale), ['errors', ...files])
  const words = wordsOf(
    createTranslator({ locale: knownLocale, messages: messages as Record<string, object>, namespace: 'errors' }),
  )
  return (code: string, params: Record<string, string | number>) =>
    words.has(code) ? words(code, params) : words('errorUnknown')
}
