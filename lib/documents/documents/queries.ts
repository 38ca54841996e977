import { and, asc, eq, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { documentLocales, documents, locales } from '@/db/schema/platform'

/** Returns the enabled documents with the numbers of their stored versions. */
export const selectDocumentVersions = () =>
  db()
    .select({
      ...{ id: documents.id, code: documents.code, updatedAt: documents.updatedAt },
      /** The current version. */
      current: documents.version,
      versions: sql<number[]>`array_agg(distinct ${documentLocales.version} order by ${documentLocales.version} desc)`,
    })
    .from(documents)
    .innerJoin(documentLocales, eq(documentLocales.documentId, documents.id))
    .where(eq(documents.enabled, true))
    .groupBy(documents.id)

/** Returns the texts of a document in a version. */
export const selectDocumentTexts = (id: string, version: number) =>
  db()
    .select({
      version: documentLocales.version,
      locale: locales.code,
      name: documentLocales.name,
      content: documentLocales.content,
      format: documents.format,
      html: documentLocales.html,
      documentId: documents.id,
      localeId: documentLocales.localeId,
    })
    .from(documents)
    .innerJoin(documentLocales, eq(documentLocales.documentId, documents.id))
    .innerJoin(locales, eq(locales.id, documentLocales.localeId))
    .where(and(eq(documents.id, id), eq(documentLocales.version, version)))
    .orderBy(asc(locales.code))

type Text = { documentId: string; version: number; localeId: string; content: string }

/** Stores the HTML of a text, unless somebody has replaced the text in the meantime. */
export const storeDrawn = ({ documentId, version, localeId, content }: Text, html: string) =>
  db()
    .update(documentLocales)
    .set({ html })
    .where(
      and(
        eq(documentLocales.documentId, documentId),
        eq(documentLocales.version, version),
        eq(documentLocales.localeId, localeId),
        eq(documentLocales.content, content),
      ),
    )
