import { and, asc, eq, isNotNull, ne, not, or, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { applications, documentLocales, documents, domainDocuments, locales } from '@/db/schema/platform'

/**
 * Returns the help documents of a domain in their current versions, one row for each locale: first the documents that
 * no domain lists, which all domains show, then the domain's own. Agreements aren't help documents.
 */
export const selectHelpTexts = (domainId: string) => {
  const ofDomain = sql<boolean>`exists (
    select from ${domainDocuments} dd where dd.document_id = ${documents}.id and dd.domain_id = ${domainId}
  )`
  const ofAnyDomain = sql`exists (select from ${domainDocuments} dd where dd.document_id = ${documents}.id)`
  return db()
    .select({
      code: documents.code,
      locale: locales.code,
      name: documentLocales.name,
      content: documentLocales.content,
      format: documents.format,
      html: documentLocales.html,
      documentId: documents.id,
      version: documentLocales.version,
      localeId: documentLocales.localeId,
    })
    .from(documents)
    .innerJoin(
      documentLocales,
      and(eq(documentLocales.documentId, documents.id), eq(documentLocales.version, documents.version)),
    )
    .innerJoin(locales, eq(locales.id, documentLocales.localeId))
    .where(and(documents.enabled, eq(documents.type, 'document'), or(ofDomain, not(ofAnyDomain))))
    .orderBy(ofDomain, asc(documents.code), asc(locales.code))
}

/** Returns the help addresses of applications with the applications' codes. */
export const selectApplicationHelp = () =>
  db()
    .select({ code: applications.code, helpUrl: applications.helpUrl })
    .from(applications)
    .where(and(isNotNull(applications.helpUrl), ne(applications.helpUrl, '')))
