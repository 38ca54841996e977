import { cached } from '@/lib/base/cache/cache'
import type { OwnTexts } from '@/lib/base/i18n/own-texts'
import { selectTextsOf, selectTextVersions } from './queries'

/** The texts that this process has made pages of, which stay the same object while nobody changes one. */
const kept = new Map<string, { version: string; texts: OwnTexts }>()
const none: OwnTexts = new Map()

/**
 * Returns the own texts of a language by key, for `loadMessages`; every process sees a change at once
 * (docs/rules/texts-and-look.md#own-texts).
 */
export const ownTextsOf = (locale: string): Promise<OwnTexts> =>
  cached(`locale-texts:${locale}`, async () => {
    const version = (await cached('locale-texts', selectTextVersions)).get(locale)
    if (version === undefined) return none
    const before = kept.get(locale)
    if (before?.version === version) return before.texts
    const texts = await selectTextsOf(locale)
    kept.set(locale, { version, texts })
    return texts
  })
