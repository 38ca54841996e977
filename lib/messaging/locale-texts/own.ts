import { cached } from '@/lib/base/cache/cache'
import type { OwnTexts } from '@/lib/base/i18n/own-texts'
import { selectTextsOf, selectTextVersions } from './queries'

/** The last own texts of each language in this process: the same object until a text changes. */
const lastTexts = new Map<string, { version: string; texts: OwnTexts }>()
const noTexts: OwnTexts = new Map()

/**
 * Returns the own texts of a language by key, for `loadMessages`. Every process sees a change at once
 * (docs/rules/texts-and-look.md#own-texts).
 */
export const ownTextsOf = (locale: string): Promise<OwnTexts> =>
  cached(`locale-texts:${locale}`, async () => {
    const version = (await cached('locale-texts', selectTextVersions)).get(locale)
    if (version === undefined) return noTexts
    const before = lastTexts.get(locale)
    if (before?.version === version) return before.texts
    const texts = await selectTextsOf(locale)
    lastTexts.set(locale, { version, texts })
    return texts
  })
