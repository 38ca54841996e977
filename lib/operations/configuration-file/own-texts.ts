import { textLocales } from '@/lib/base/i18n/choose-locale'
import { isTextLocale, messageSources } from '@/lib/base/i18n/messages'
import type { Rows } from './queries'

/** Texts of a domain that equal the text of its language. */
export type RedundantTexts = { domainId: string; localeId: string; keys: string[] }

/**
 * Returns the texts of languages and domains that differ from the text below them: the shipped one, or that of the
 * language. A text may have become equal to the one below after it was written; it then no longer counts as the
 * domain's own, and `hidden` names it.
 */
export async function ownTexts(rows: Rows) {
  const sources = await messageSources(textLocales[0])
  const shipped = new Map<string, ReadonlyMap<string, string>>()
  for (const { id, code } of rows.locales) shipped.set(id, isTextLocale(code) ? await messageSources(code) : new Map())
  const localeTexts = rows.localeTexts.filter(({ localeId, key, text }) => text !== shipped.get(localeId)?.get(key))
  const localeTextsByKey = new Map(localeTexts.map(({ localeId, key, text }) => [`${localeId} ${key}`, text]))
  const isHidden = ({ localeId, key, text }: Rows['domainTexts'][number]) =>
    text === (localeTextsByKey.get(`${localeId} ${key}`) ?? shipped.get(localeId)?.get(key) ?? sources.get(key))
  const hidden = new Map<string, RedundantTexts>()
  for (const row of rows.domainTexts.filter(isHidden)) {
    const { domainId, localeId, key } = row
    const entry = hidden.get(`${domainId} ${localeId}`) ?? { domainId, localeId, keys: [] }
    hidden.set(`${domainId} ${localeId}`, { ...entry, keys: [...entry.keys, key] })
  }
  return {
    ofLocales: localeTexts,
    ofDomains: rows.domainTexts.filter((row) => !isHidden(row)),
    hidden: [...hidden.values()],
  }
}
