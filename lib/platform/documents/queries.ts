import { and, asc, eq, or, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { documentLocales, documents, locales } from '@/db/schema/platform'

/** The current texts of an enabled document, by id or code. */
export const documentTexts = (idOrCode: string) =>
  db()
    .select({
      locale: locales.code,
      name: documentLocales.name,
      content: documentLocales.content,
      format: documents.format,
    })
    .from(documents)
    .innerJoin(
      documentLocales,
      and(eq(documentLocales.documentId, documents.id), eq(documentLocales.version, documents.version)),
    )
    .innerJoin(locales, eq(locales.id, documentLocales.localeId))
    .where(
      and(
        eq(documents.enabled, true),
        or(eq(documents.code, idOrCode), sql`${documents.id}::text = ${idOrCode.toLowerCase()}`),
      ),
    )
    .orderBy(asc(locales.code))
