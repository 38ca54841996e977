import { serviceItems } from '@/lib/applications/menu/service'
import { cached } from '@/lib/base/cache/cache'
import type { Ctx } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import { pageLink } from '@/lib/base/text/page-link'
import { withHtml } from '../documents/drawn'
import { inLanguage } from '../documents/service'
import { selectApplicationHelp, selectHelpTexts } from './queries'
import { type HelpDocument, type HelpHit, searchHelp } from './search'
import { sectionsOf } from './sections'

/**
 * Returns the help documents of the domain, split at headings: in the reader's language, else in the first of the
 * domain's locales that they have.
 */
async function helpDocuments({ domain, locale }: Ctx): Promise<HelpDocument[]> {
  // cached under the name of the project info, which changes of documents invalidate
  const byCode = await cached(`project-info:help:${domain.id}`, async () =>
    Map.groupBy(
      (await withHtml(await selectHelpTexts(domain.id))).map(({ code, locale: textLocale, name, html }) => ({
        ...{ code, locale: textLocale, name },
        sections: sectionsOf(html),
      })),
      ({ code }) => code,
    ),
  )
  const order = domain.locales
  return [...byCode.values()].flatMap((texts) => {
    const text = inLanguage(
      texts.toSorted((a, b) => order.indexOf(a.locale) - order.indexOf(b.locale)),
      locale,
    )
    if (!text) return []
    return [text]
  })
}

export type HelpPage = {
  documents: { code: string; name: string; parts: { heading: string; part: number }[] }[]
  /** The help pages of the services that the reader can use. */
  services: { title: string; url: string }[]
  /** Null without a search. */
  hits: HelpHit[] | null
}

/**
 * Returns the data of the help page: the domain's documents with their headings, the help of the services, and search
 * results.
 */
export async function helpPage(ctx: Ctx, search: string): Promise<HelpPage> {
  const [documents, items, help] = await Promise.all([
    helpDocuments(ctx),
    ctx.user ? serviceItems(ctx.user, ctx.domain) : [],
    ctx.user ? cached('applications:help', async () => selectApplicationHelp()) : [],
  ])
  const services = items
    .flatMap(({ children, ...item }) => [item, ...children])
    .flatMap(({ applicationKey, title, titleEn, disabled }) => {
      const url = pageLink(help.find(({ code }) => code === applicationKey)?.helpUrl)
      return url && !disabled ? [{ title: localName({ title, titleEn }, ctx.locale), url }] : []
    })
  return {
    documents: documents.map(({ code, name, sections }) => ({
      code,
      name,
      parts: sections.flatMap(({ heading, part }) => (heading ? [{ heading, part }] : [])),
    })),
    services,
    hits: search.trim() ? searchHelp(documents, search.slice(0, 200)) : null,
  }
}
