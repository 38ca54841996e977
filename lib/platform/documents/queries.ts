import { and, asc, eq, or, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { documentLocales, documents, locales } from '@/db/schema/platform'

/** Returns the texts of an enabled document in all its versions, by id or code. */
export const selectDocumentTexts = (idOrCode: string) =>
  db()
    .select({
      code: documents.code,
      /** The current version. */
      current: documents.version,
      updatedAt: documents.updatedAt,
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
    .where(
      and(
        eq(documents.enabled, true),
        or(eq(documents.code, idOrCode), sql`${documents.id}::text = ${idOrCode.toLowerCase()}`),
      ),
    )
    .orderBy(asc(locales.code))

type Text = { documentId: string; version: number; localeId: string; content: string }

/** Stores what pages show of a text, unless somebody has replaced the text meanwhile. */
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
