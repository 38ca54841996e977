import { setImmediate } from 'node:timers/promises'
import { cached } from '@/lib/base/cache/cache'
import { textLocales } from '@/lib/base/i18n/choose-locale'
import { messageSources } from '@/lib/base/i18n/messages'
import type { OwnTexts } from '@/lib/base/i18n/own-texts'
import { ownTextFault } from '../locale-texts/check'
import { selectAllDomainTexts } from './queries'

const noTexts: OwnTexts = new Map()

async function loadDomainTexts(): Promise<Map<string, Map<string, string>>> {
  const rows = await selectAllDomainTexts()
  const byPlace = new Map<string, Map<string, string>>()
  if (rows.length === 0) return byPlace
  const sources = await messageSources(textLocales[0])
  for (const [index, { domainId, code, key, text }] of rows.entries()) {
    // lets the process handle other calls
    if (index % 20 === 19) await setImmediate()
    const source = sources.get(key)
    // a later version may give a message other values: then the shipped text is sent
    if (source === undefined || ownTextFault(key, text, source)) continue
    const place = `${domainId} ${code}`
    const texts = byPlace.get(place) ?? new Map<string, string>()
    byPlace.set(place, texts.set(key, text))
  }
  return byPlace
}

/**
 * Returns the texts of mails and SMS that a domain has in a language, by key; every process sees a change at once
 * (docs/rules/messages.md#own-words).
 */
export const domainTextsOf = async (domainId: string, locale: string): Promise<OwnTexts> =>
  (await cached('domain-texts', loadDomainTexts)).get(`${domainId} ${locale}`) ?? noTexts
