import { textLocales } from '@/lib/base/i18n/choose-locale'
import { isTextLocale, messageSources } from '@/lib/base/i18n/messages'
import type { Rows } from './queries'

/** Texts of a domain that say what its language says anyway. */
export type Hidden = { domainId: string; localeId: string; keys: string[] }

/**
 * Returns the texts that languages and domains have in place of those that stand there anyway. A text may have become the
 * same as the other one after it was written: then it isn't theirs any more, and `hidden` names it.
 */
export async function ownTexts(rows: Rows) {
  const sources = await messageSources(textLocales[0])
  const shipped = new Map<string, ReadonlyMap<string, string>>()
  for (const { id, code } of rows.locales) shipped.set(id, isTextLocale(code) ? await messageSources(code) : new Map())
  const ofLocales = rows.localeTexts.filter(({ localeId, key, text }) => text !== shipped.get(localeId)?.get(key))
  const own = new Map(ofLocales.map(({ localeId, key, text }) => [`${localeId} ${key}`, text]))
  const isHidden = ({ localeId, key, text }: Rows['domainTexts'][number]) =>
    text === (own.get(`${localeId} ${key}`) ?? shipped.get(localeId)?.get(key) ?? sources.get(key))
  const hidden = new Map<string, Hidden>()
  for (const row of rows.domainTexts.filter(isHidden)) {
    const { domainId, localeId, key } = row
    const known = hidden.get(`${domainId} ${localeId}`) ?? { domainId, localeId, keys: [] }
    hidden.set(`${domainId} ${localeId}`, { ...known, keys: [...known.keys, key] })
  }
  return { ofLocales, ofDomains: rows.domainTexts.filter((row) => !isHidden(row)), hidden: [...hidden.values()] }
}
