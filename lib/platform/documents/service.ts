import { cached } from '@/lib/kernel/cache'
import type { Ctx } from '@/lib/kernel/ctx'
import { notFound } from '@/lib/kernel/errors'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type { DocumentView, viewDocument } from './contract'
import { documentTexts } from './queries'

type Text = Awaited<ReturnType<typeof documentTexts>>[number]

/** One version's texts in the domain's order of languages. Throws 404 when there is no such document or version. */
async function textsOf(ctx: Pick<Ctx, 'domain'>, id: string, version?: number) {
  const all: Text[] = await cached(`documents:${id}`, async () => documentTexts(id))
  // a version that is still being written is nobody's yet
  const texts = all.filter((text) => text.version <= text.current && text.version === (version ?? text.current))
  if (texts.length === 0) throw notFound()
  const rank = (locale: string) => {
    const at = ctx.domain.locales.indexOf(locale)
    return at < 0 ? ctx.domain.locales.length : at
  }
  return { all, texts: texts.toSorted((a, b) => rank(a.locale) - rank(b.locale)) }
}

/** An enabled document in its current version or an earlier one. Throws 404 when there is none. */
export async function documentView(ctx: Ctx, { params: { id }, query: { version } }: VerbInput<typeof viewDocument>) {
  const { texts } = await textsOf(ctx, id, version)
  return {
    documents: texts.map(({ locale, name, content, format }): DocumentView => ({ locale, name, content, format })),
  }
}

/** The text in this language, else the first one (docs/rules/agreements.md#documents). */
export const inLanguage = <T extends { locale: string }>(documents: readonly T[], locale: string): T | undefined =>
  documents.find((text) => text.locale === locale) ?? documents[0]

export type DocumentPage = Pick<
  Text,
  'code' | 'version' | 'current' | 'updatedAt' | 'locale' | 'name' | 'content' | 'format'
> & {
  /** Other versions that can still be read, newest first. */
  otherVersions: number[]
}

/** What the page of a document shows, in the reader's language if it is written in it. Throws 404. */
export async function documentPage(ctx: Ctx, id: string, version?: number): Promise<DocumentPage> {
  const { all, texts } = await textsOf(ctx, id, version)
  const text = inLanguage(texts, ctx.locale)
  if (!text) throw notFound()
  const versions = new Set(all.filter((other) => other.version <= other.current).map((other) => other.version))
  versions.delete(text.version)
  return { ...text, otherVersions: [...versions].sort((one, other) => other - one) }
}
