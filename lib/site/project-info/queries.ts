import { and, asc, eq, inArray, or } from 'drizzle-orm'
import { db } from '@/db/client'
import {
  banners,
  documentLocales,
  documents,
  domainAgreements,
  domainDocuments,
  domainLocales,
  domains,
  locales,
} from '@/db/schema/platform'

/** Returns the domain and the base domain; one row if they are the same. */
export const selectDomainAndBase = (domainId: string) =>
  db()
    .select({
      id: domains.id,
      base: domains.base,
      baseSettings: domains.baseSettings,
      cookie: domains.cookie,
      publicDocsUrl: domains.publicDocsUrl,
      styleTemplate: domains.styleTemplate,
      imageCode: domains.imageCode,
      logoId: domains.logoId,
    })
    .from(domains)
    .where(or(eq(domains.id, domainId), domains.base))

/** Returns the enabled locales of the domain and of the base domain with their texts, in order. */
export const selectLocaleTexts = (domainId: string) =>
  db()
    .select({
      domainId: domainLocales.domainId,
      id: locales.id,
      code: locales.code,
      name: locales.name,
      settings: domainLocales.settings,
    })
    .from(domainLocales)
    .innerJoin(domains, and(eq(domains.id, domainLocales.domainId), or(eq(domains.id, domainId), domains.base)))
    .innerJoin(locales, and(eq(locales.id, domainLocales.localeId), eq(locales.enabled, true)))
    .where(eq(domainLocales.enabled, true))
    .orderBy(asc(domainLocales.order), asc(locales.code))

const titles = {
  id: documents.id,
  code: documents.code,
  version: documents.version,
  locale: locales.code,
  name: documentLocales.name,
  linkName: documentLocales.linkName,
}
const currentText = and(eq(documentLocales.documentId, documents.id), eq(documentLocales.version, documents.version))

/** Returns the domain's agreements in order, one row for each locale of each agreement. */
export const selectAgreementTitles = (domainId: string) =>
  db()
    .select({
      ...titles,
      loginRequired: domainAgreements.loginRequired,
      footerVisible: domainAgreements.footerVisible,
      menuVisible: domainAgreements.menuVisible,
    })
    .from(domainAgreements)
    .innerJoin(documents, and(eq(documents.id, domainAgreements.documentId), eq(documents.enabled, true)))
    .innerJoin(documentLocales, currentText)
    .innerJoin(locales, eq(locales.id, documentLocales.localeId))
    .where(eq(domainAgreements.domainId, domainId))
    .orderBy(asc(domainAgreements.order), asc(documents.code), asc(locales.code))

/** Returns the domain's other documents in order, one row for each locale of each document. */
export const selectDocumentTitles = (domainId: string) =>
  db()
    .select(titles)
    .from(domainDocuments)
    .innerJoin(documents, and(eq(documents.id, domainDocuments.documentId), eq(documents.enabled, true)))
    .innerJoin(documentLocales, currentText)
    .innerJoin(locales, eq(locales.id, documentLocales.localeId))
    .where(eq(domainDocuments.domainId, domainId))
    .orderBy(asc(domainDocuments.order), asc(documents.code), asc(locales.code))

export const selectVisibleBanners = async (ids: string[]) =>
  ids.length === 0
    ? []
    : db()
        .select({ id: banners.id, title: banners.title, text: banners.text, link: banners.link })
        .from(banners)
        .where(and(eq(banners.visible, true), inArray(banners.id, ids)))
