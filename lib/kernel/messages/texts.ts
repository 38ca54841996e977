import { createTranslator } from 'next-intl'
import type { TextLocale } from '../i18n/choose-locale'
import { loadMessages, wordLocale } from '../i18n/messages'
import { type Words, wordsOf } from '../i18n/words'

/**
 * Returns the texts of mails or SMS in a locale, or in the default one, with times in a zone. Keys are made of the template's name, so that
 * the compiler can't check them; tests/unit/mail-templates.test.ts renders every template.
 */
export async function texts(
  locale: string,
  namespace: 'mail' | 'sms',
  timeZone: string,
): Promise<{ translate: Words; locale: string }> {
  const known = await wordLocale(locale)
  const translator = createTranslator({
    locale: known as TextLocale,
    timeZone,
    messages: (await loadMessages(known)) as Record<string, object>,
    namespace,
    onError(error) {
      throw error
    },
  })
  return { translate: wordsOf(translator), locale: known }
}
