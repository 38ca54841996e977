import { cached } from '@/lib/base/cache/cache'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { notFound } from '@/lib/base/runtime/errors'
import type * as calls from './contract'
import { withHtml } from './drawn'
import { selectDocumentTexts, selectDocumentVersions } from './queries'

const isGuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

type Version = Awaited<ReturnType<typeof selectDocumentVersions>>[number]
type Text = Awaited<ReturnType<typeof selectDocumentTexts>>[number] & { html: string }

/** Returns the enabled documents by id and by code. */
const documentsByName = () =>
  cached('documents', async () => {
    const rows = await selectDocumentVersions()
    return new Map([
      ...rows.map((row): [string, Version] => [row.code, row]),
      ...rows.map((row): [string, Version] => [row.id, row]),
    ])
  })

/**
 * Returns the texts of one version, in the domain's order of locales. Throws 404 for an unknown document or version.
 */
async function textsOf(ctx: Pick<Ctx, 'domain'>, name: string, requested?: number) {
  const document = (await documentsByName()).get(isGuid.test(name) ? name.toLowerCase() : name)
  const version = requested ?? document?.current
  // nobody may read a future version
  const versions = document?.versions.filter((number) => number <= document.current) ?? []
  if (!document || version === undefined || !versions.includes(version)) throw notFound()
  const texts: Text[] = await cached(`documents:${document.id}:${version}`, async () =>
    withHtml(await selectDocumentTexts(document.id, version)),
  )
  const rank = (locale: string) => {
    const index = ctx.domain.locales.indexOf(locale)
    return index < 0 ? ctx.domain.locales.length : index
  }
  return { ...document, versions, texts: texts.toSorted((a, b) => rank(a.locale) - rank(b.locale)) }
}

/** Returns an enabled document in its current version or an earlier one. Throws 404 if there is none. */
export async function viewDocument(
  ctx: Ctx,
  { params: { id }, query: { version } }: ServiceInput<typeof calls.viewDocument>,
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

export type DocumentPage = Pick<Version, 'code' | 'current' | 'updatedAt'> &
  Pick<Text, 'version' | 'locale' | 'name'> & {
    /** The text, sanitized. */
    html: string
    /** Other versions that can still be read, newest first. */
    otherVersions: number[]
  }

/** Returns the data of a document's page, if possible in the reader's language. Throws 404. */
export async function documentPage(ctx: Ctx, id: string, version?: number): Promise<DocumentPage> {
  const { code, current, updatedAt, versions, texts } = await textsOf(ctx, id, version)
  const text = inLanguage(texts, ctx.locale)
  if (!text) throw notFound()
  const { locale, name, html } = text
  const page = { code, version: text.version, current, updatedAt, locale, name, html }
  return { ...page, otherVersions: versions.filter((number) => number !== text.version) }
}
