/** Texts that administrators wrote in a language, by key: `entry.id.title`. */
export type OwnTexts = ReadonlyMap<string, string>
type Source = (locale: string) => Promise<OwnTexts>
type DomainSource = (domainId: string, locale: string) => Promise<OwnTexts>

const none: OwnTexts = new Map()
// bundles may contain several copies of this file, but a process has one source
const shared = globalThis as typeof globalThis & { platformOwnTexts?: Source; platformDomainTexts?: DomainSource }

/** Sets what reads the own texts of a language; a process without a source has shipped texts alone. */
export const takeOwnTextsFrom = (source: Source) => {
  shared.platformOwnTexts = source
}

/**
 * Returns the own texts of a language (docs/rules/texts-and-look.md#own-texts): none if it has none, and none while the
 * store is away, because a page with shipped texts is better than no page.
 */
export async function ownTexts(locale: string): Promise<OwnTexts> {
  try {
    return (await shared.platformOwnTexts?.(locale)) ?? none
  } catch {
    return none
  }
}

/** Sets what reads the texts of mails and SMS that a domain has of its own. */
export const takeDomainTextsFrom = (source: DomainSource) => {
  shared.platformDomainTexts = source
}

/**
 * Returns the texts of mails and SMS that a domain has in a language, by key; none while the store is away
 * (docs/rules/messages.md#own-words).
 */
export async function domainTexts(domainId: string, locale: string): Promise<OwnTexts> {
  try {
    return (await shared.platformDomainTexts?.(domainId, locale)) ?? none
  } catch {
    return none
  }
}
