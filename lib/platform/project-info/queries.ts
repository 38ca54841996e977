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

/** The domain and the base domain, which are one if that is asked for. */
export const domainAndBase = (domainId: string) =>
  db()
    .select({
      id: domains.id,
      base: domains.base,
      baseSettings: domains.baseSettings,
      cookie: domains.cookie,
      publicDocsUrl: domains.publicDocsUrl,
      styleTemplate: domains.styleTemplate,
      imageCode: domains.imageCode,
    })
    .from(domains)
    .where(or(eq(domains.id, domainId), domains.base))

/** Enabled locales of the domain and of the base domain with their texts, in order. */
export const localeTexts = (domainId: string) =>
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

/** The domain's agreements in order: a row for each locale in which one is written. */
export const agreementTitles = (domainId: string) =>
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

/** The domain's other documents, likewise. */
export const documentTitles = (domainId: string) =>
  db()
    .select(titles)
    .from(domainDocuments)
    .innerJoin(documents, and(eq(documents.id, domainDocuments.documentId), eq(documents.enabled, true)))
    .innerJoin(documentLocales, currentText)
    .innerJoin(locales, eq(locales.id, documentLocales.localeId))
    .where(eq(domainDocuments.domainId, domainId))
    .orderBy(asc(domainDocuments.order), asc(documents.code), asc(locales.code))

export const visibleBanners = async (ids: string[]) =>
  ids.length === 0
    ? []
    : db()
        .select({ id: banners.id, title: banners.title, text: banners.text, link: banners.link })
        .from(banners)
        .where(and(eq(banners.visible, true), inArray(banners.id, ids)))
