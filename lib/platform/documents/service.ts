import { cached } from '@/lib/kernel/cache'
import type { Ctx } from '@/lib/kernel/ctx'
import { notFound } from '@/lib/kernel/errors'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type { DocumentView, viewDocument } from './contract'
import { documentTexts } from './queries'

/** An enabled document's texts, in the domain's order of languages. Throws 404 when there is none. */
export async function documentView(ctx: Ctx, { params: { id } }: VerbInput<typeof viewDocument>) {
  const texts: DocumentView[] = await cached(`documents:${id}`, async () => documentTexts(id))
  if (texts.length === 0) throw notFound()
  const rank = (locale: string) => {
    const at = ctx.domain.locales.indexOf(locale)
    return at < 0 ? ctx.domain.locales.length : at
  }
  return { documents: texts.toSorted((a, b) => rank(a.locale) - rank(b.locale)) }
}

/** The text in this language, else the first one (portal.md section 2, document screen). */
export const inLanguage = (documents: readonly DocumentView[], locale: string): DocumentView | undefined =>
  documents.find((text) => text.locale === locale) ?? documents[0]
