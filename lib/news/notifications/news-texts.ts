import { type Database, db, type Transaction } from '@/db/client'
import { languageOrder } from '@/lib/base/i18n/local-name'
import { selectTextsOf } from './queries'

type Text = { title: string; text: string }
/** The texts of news by locale code. */
export type TextsByLocale = Readonly<Record<string, Text>>

/** Returns the text in a language, else in the default one, else in any; undefined if there is none. */
export function textAmong(texts: TextsByLocale, locale: string): (Text & { locale: string }) | undefined {
  const [language] = languageOrder(Object.keys(texts), locale)
  const text = language === undefined ? undefined : texts[language]
  return language !== undefined && text ? { locale: language, ...text } : undefined
}

/** Returns the texts of these news, by their ids. */
export async function textsOfNews(
  ids: readonly string[],
  run: Database | Transaction = db(),
): Promise<Map<string, TextsByLocale>> {
  if (ids.length === 0) return new Map()
  const rows = await selectTextsOf(run, ids)
  const byNews = Map.groupBy(rows, ({ id }) => id)
  return new Map(
    [...byNews].map(([id, texts]) => [
      id,
      Object.fromEntries(texts.map(({ locale, title, text }) => [locale, { title, text }])),
    ]),
  )
}
