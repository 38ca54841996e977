import { createTranslator } from 'next-intl'
import { textLocales } from '../i18n/choose-locale'
import { isTextLocale, loadMessages } from '../i18n/messages'

type Values = Record<string, string | number | Date>
export type Say = ((key: string, values?: Values) => string) & { has(key: string): boolean }

/** Texts are found by the template's name, so keys and values are known to agree only at run time: a test renders all. */
export async function texts(locale: string, namespace: 'mail' | 'sms'): Promise<{ say: Say; locale: string }> {
  const known = isTextLocale(locale) ? locale : textLocales[0]
  const t: unknown = createTranslator({
    locale: known,
    timeZone: 'Europe/Moscow',
    messages: (await loadMessages(known)) as Record<string, object>,
    namespace,
    onError(error) {
      throw error
    },
  })
  return { say: t as Say, locale: known }
}
