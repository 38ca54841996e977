import { cached } from '@/lib/kernel/cache'
import type { Ctx } from '@/lib/kernel/ctx'
import { notFound } from '@/lib/kernel/errors'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type * as calls from './contract'
import { withHtml } from './drawn'
import { selectDocumentTexts } from './queries'

const isGuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

type Text = Awaited<ReturnType<typeof selectDocumentTexts>>[number] & { html: string }

/** Returns one version's texts in the domain's order of languages. Throws 404 for an unknown document or version. */
async function textsOf(ctx: Pick<Ctx, 'domain'>, id: string, version?: number) {
  // however the id is spelled, its texts are kept once
  const known = isGuid.test(id) ? id.toLowerCase() : id
  const all: Text[] = await cached(`documents:${known}`, async () => withHtml(await selectDocumentTexts(known)))
  // nobody may read a version that is still being written
  const texts = all.filter((text) => text.version <= text.current && text.version === (version ?? text.current))
  if (texts.length === 0) throw notFound()
  const rank = (locale: string) => {
    const at = ctx.domain.locales.indexOf(locale)
    return at < 0 ? ctx.domain.locales.length : at
  }
  return { all, texts: texts.toSorted((a, b) => rank(a.locale) - rank(b.locale)) }
}

/** Returns an enabled document in its current version or an earlier one. Throws 404 if there is none. */
export async function viewDocument(
  ctx: Ctx,
  { params: { id }, query: { version } }: VerbInput<typeof calls.viewDocument>,
) {
  const { texts } = await textsOf(ctx, id, version)
  return {
    documents: texts.map(
      ({ locale, name, content, format }): calls.DocumentView => ({ locale, name, content, format }),
    ),
  }
}

/** Returns the text in this language, else the first one (docs/rules/agreements.md#documents). */
export const inLanguage = <T extends { locale: string }>(documents: readonly T[], locale: string): T | undefined =>
  documents.find((text) => text.locale === locale) ?? documents[0]

export type DocumentPage = Pick<Text, 'code' | 'version' | 'current' | 'updatedAt' | 'locale' | 'name'> & {
  /** The text, sanitized. */
  html: string
  /** Other versions that can still be read, newest first. */
  otherVersions: number[]
}

/** Returns what the page of a document shows, if possible in the reader's language. Throws 404. */
export async function documentPage(ctx: Ctx, id: string, version?: number): Promise<DocumentPage> {
  const { all, texts } = await textsOf(ctx, id, version)
  const text = inLanguage(texts, ctx.locale)
  if (!text) throw notFound()
  const versions = new Set(all.filter((other) => other.version <= other.current).map((other) => other.version))
  versions.delete(text.version)
  const { code, current, updatedAt, locale, name, html } = text
  const shown = { code, version: text.version, current, updatedAt, locale, name, html }
  return { ...shown, otherVersions: [...versions].sort((one, other) => other - one) }
}
