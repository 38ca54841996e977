/** Texts that administrators wrote in a language, by key: `entry.id.title`. */
export type OwnTexts = ReadonlyMap<string, string>
type Source = (locale: string) => Promise<OwnTexts>
type DomainSource = (domainId: string, locale: string) => Promise<OwnTexts>

const noTexts: OwnTexts = new Map()
// bundles may contain several copies of this file, but a process has one source
const shared = globalThis as typeof globalThis & { platformOwnTexts?: Source; platformDomainTexts?: DomainSource }

/** Sets the function that reads the own texts of a language; a process without it has only shipped texts. */
export const setOwnTextsSource = (source: Source) => {
  shared.platformOwnTexts = source
}

/**
 * Returns the own texts of a language (docs/rules/texts-and-look.md#own-texts). Returns none while the store is away,
 * because a page with shipped texts is better than no page.
 */
export async function ownTexts(locale: string): Promise<OwnTexts> {
  try {
    return (await shared.platformOwnTexts?.(locale)) ?? noTexts
  } catch {
    return noTexts
  }
}

/** Sets the function that reads a domain's own texts of mails and SMS. */
export const setDomainTextsSource = (source: DomainSource) => {
  shared.platformDomainTexts = source
}

/**
 * Returns a domain's own texts of mails and SMS in a language, by key; none while the store is away
 * (docs/rules/messages.md#own-words).
 */
export async function domainTexts(domainId: string, locale: string): Promise<OwnTexts> {
  try {
    return (await shared.platformDomainTexts?.(domainId, locale)) ?? noTexts
  } catch {
    return noTexts
  }
}
