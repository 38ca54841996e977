import { createTranslator } from 'next-intl'
import type { TextLocale } from './choose-locale'
import { loadMessages, pickMessages, type TextFile, wordLocale } from './messages'
import { wordsOf } from './words'

/**
 * Returns the texts of errors for a file that a person downloads: those that any page may show, and those of slices'
 * texts. A code without a text is an unknown error, as on pages.
 */
export async function errorWords(locale: string, ...files: TextFile[]) {
  const known = (await wordLocale(locale)) as TextLocale
  const messages = pickMessages(await loadMessages(known), ['errors', ...files])
  const words = wordsOf(
    createTranslator({ locale: known, messages: messages as Record<string, object>, namespace: 'errors' }),
  )
  return (code: string, params: Record<string, string | number>) =>
    words.has(code) ? words(code, params) : words('errorUnknown')
}
