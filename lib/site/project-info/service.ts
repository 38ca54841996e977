import type { DomainLocaleSettings } from '@/db/schema/platform'
import { cached } from '@/lib/base/cache/cache'
import type { Ctx, CtxDomain } from '@/lib/base/context/ctx'
import { env } from '@/lib/base/runtime/env'
import { notFound } from '@/lib/base/runtime/errors'
import { contactLink, pageLink } from '@/lib/base/text/page-link'
import { platformSettings } from '../settings/service'
import type { ProjectInfo, ProjectLocaleOptions, TermsLink } from './contract'
import {
  selectAgreementTitles,
  selectDocumentTitles,
  selectDomainAndBase,
  selectLocaleTexts,
  selectVisibleBanners,
} from './queries'

/** Code of the agreement to the processing of personal data, which forms show separately from the other terms. */
const personalAgreementCode = 'personal-data'

type Title = { id: string; code: string; locale: string }

/** Returns one row for each document: in this language, else in the first available one of `order`, else in any. */
function inLocale<T extends Title>(rows: readonly T[], locale: string, order: readonly string[]): T[] {
  const byDocument = Map.groupBy(rows, ({ id }) => id)
  return [...byDocument.values()].flatMap((texts) => {
    const preferred = [locale, ...order].map((code) => texts.find((text) => text.locale === code)).find(Boolean)
    const text = preferred ?? texts[0]
    return text ? [text] : []
  })
}

/** The default for addresses that neither the domain nor the environment has. */
const helpPage = '/platform/help'
const defaultLink = (address: string | undefined) => pageLink(address) ?? helpPage

const lawLink = (code: string) => `/platform/law/${code}`

const siteOf = ({ siteLink, siteName }: DomainLocaleSettings) => {
  const url = pageLink(siteLink)
  return url ? { url, text: siteName || url } : null
}

/** Returns the contacts whose address a page can link to. */
const technicalOf = ({ technical }: DomainLocaleSettings) =>
  technical.flatMap(({ title, text, link, mobile }) => {
    const url = contactLink(link)
    return url ? [{ title, text, url, mobile: mobile || null }] : []
  })

type Texts = Omit<ProjectInfo, 'metrics' | 'uiSettings'> & { cookie: boolean }

/**
 * Returns the part that is cached: it changes only when somebody edits the domain, its banners, documents or languages.
 */
async function loadTexts(domainId: string): Promise<Texts> {
  const [domains, allLocales, agreements, documents] = await Promise.all([
    selectDomainAndBase(domainId),
    selectLocaleTexts(domainId),
    selectAgreementTitles(domainId),
    selectDocumentTitles(domainId),
  ])
  const domain = domains.find(({ id }) => id === domainId)
  const baseId = domains.find(({ base }) => base)?.id
  if (!domain) throw notFound()
  const ownLocales = domain.baseSettings ? [] : allLocales.filter((row) => row.domainId === domainId)
  const locales = ownLocales.length > 0 ? ownLocales : allLocales.filter((row) => row.domainId === baseId)
  const order = locales.map(({ code }) => code)
  const banners = await selectVisibleBanners(locales.flatMap(({ settings }) => settings.banners))

  const options: Record<string, ProjectLocaleOptions> = {}
  for (const { code, settings } of locales) {
    const terms = inLocale(agreements, code, order).map((row): TermsLink & { code: string } => ({
      code: row.code,
      id: row.id,
      version: row.version,
      title: row.name,
      linkTitle: row.linkName,
      link: lawLink(row.code),
      loginRequired: row.loginRequired,
      footerVisible: row.footerVisible,
      menuVisible: row.menuVisible,
    }))
    const termsInfo = terms.map(({ code: _, ...term }) => term)
    const personalIndex = terms.findIndex((term) => term.code === personalAgreementCode)
    options[code] = {
      projectTitle: settings.projectTitle,
      projectName: settings.projectName,
      authBanners: settings.banners
        .flatMap((id) => banners.filter((banner) => banner.id === id))
        .map(({ link, ...banner }) => ({ ...banner, link: pageLink(link) })),
      lawInfo: {
        legalInfo: inLocale(documents, code, order).map((row) => ({ url: lawLink(row.code), text: row.linkName })),
        termsInfo,
        personalAgree: termsInfo[personalIndex] ?? null,
      },
      copyright: { text: settings.copyright, title: settings.projectTitle },
      siteUrl: siteOf(settings),
      technicalLink: technicalOf(settings),
      cookie: domain.cookie,
    }
  }
  const [first] = locales
  const site = first ? siteOf(first.settings) : null
  return {
    locales: locales.map(({ id, code, name }) => ({ id, code, name })),
    code: domain.imageCode,
    logo: domain.logoId,
    styleCode: domain.styleTemplate,
    copyrightUrl: site?.url ?? defaultLink(env().COPYRIGHT_URL),
    devUrl: site?.url ?? defaultLink(env().DEV_URL),
    helpUrl: pageLink(domain.publicDocsUrl) ?? helpPage,
    siteUrl: site,
    technicalLinks: first ? technicalOf(first.settings) : [],
    options,
    cookie: domain.cookie,
  }
}

/**
 * Returns the look and the texts of a domain: texts by language, links, agreements in their current version, and the
 * settings of the interface. Throws 404 if the domain doesn't exist.
 */
export async function projectInfo({ id }: Pick<CtxDomain, 'id'>): Promise<ProjectInfo> {
  const [settings, { cookie: domainCookie, ...texts }] = await Promise.all([
    platformSettings(),
    cached(`project-info:${id}`, () => loadTexts(id)),
  ])
  const cookie = settings.cookie && domainCookie
  const { metricsScript, editNavMini, headerVisible, navMiniTitle, useUserFio, localNotifies, accessRequests } =
    settings
  return {
    ...texts,
    options: Object.fromEntries(Object.entries(texts.options).map(([code, option]) => [code, { ...option, cookie }])),
    metrics: metricsScript,
    uiSettings: { editNavMini, headerVisible, navMiniTitle, useUserFio, localNotifies, accessRequests, cookie },
  }
}

/** Returns the look and the texts of the domain to which the call came. */
export const getProjectInfo = (ctx: Ctx): Promise<ProjectInfo> => projectInfo(ctx.domain)
