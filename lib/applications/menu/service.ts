import { cached } from '@/lib/base/cache/cache'
import { holdsMethod, requireUser } from '@/lib/base/context/access'
import type { Ctx, CtxDomain, CtxUser } from '@/lib/base/context/ctx'
import { type MenuSection, menuBadges, menuSections } from '@/lib/base/frame/menu'
import { localName } from '@/lib/base/i18n/local-name'
import { loadMessages } from '@/lib/base/i18n/messages'
import type { MenuGroup } from '@/lib/base/navigation/menu-groups'
import { type AgreementName, type Screen, screens } from '@/lib/base/navigation/screens'
import { projectInfo } from '@/lib/site/project-info/service'
import { platformSettings } from '@/lib/site/settings/service'
import type { MenuItem, ServiceItem } from './contract'
import { selectMenuApplications } from './queries'

export type Service = { id: string; code: string; title: string; titleEn: string | null; serviceUrl: string }

type MenuUser = Pick<CtxUser, 'methodIds'>
type MenuDomain = Pick<CtxDomain, 'id'>

/**
 * Returns the applications of this domain's menu that need no method, or one that the user holds; all for `anybody`.
 */
async function usableApplications(user: MenuUser | 'anybody', domain: MenuDomain) {
  const rows = await cached('applications:menu', async () => selectMenuApplications())
  return rows.filter(
    ({ domainIds, methodIds }) =>
      (domainIds.length === 0 || domainIds.includes(domain.id)) &&
      (user === 'anybody' || methodIds.length === 0 || methodIds.some((id) => holdsMethod(user, { id }))),
  )
}

/**
 * Returns the enabled services that the user can open from this domain, including virtual ones; for `anybody` all that
 * some user can open.
 */
export async function userServices(user: MenuUser | 'anybody', domain: MenuDomain): Promise<Service[]> {
  const rows = await usableApplications(user, domain)
  return rows
    .filter(({ enabled }) => enabled)
    .map(({ id, code, name, nameEn, url }) => ({ id, code, title: name, titleEn: nameEn, serviceUrl: url }))
}

/**
 * Returns the user's services on this domain, including disabled ones. An application is listed under its parent if one
 * of the two is virtual, on one level (docs/rules/profile.md#services).
 */
export async function serviceItems(user: MenuUser, domain: MenuDomain): Promise<ServiceItem[]> {
  const rows = await usableApplications(user, domain)
  const parentOf = (row: (typeof rows)[number]) => {
    const parent = rows.find(({ id }) => id === row.parentId)
    return parent && (row.type === 'virtual' || parent.type === 'virtual') ? parent : undefined
  }
  const menuParentOf = (row: (typeof rows)[number]) => {
    const parent = parentOf(row)
    return parent && !parentOf(parent) ? parent.id : null
  }
  const entries = rows.map((row) => ({
    parentId: menuParentOf(row),
    entry: {
      id: row.id,
      name: row.code,
      title: row.name,
      titleEn: row.nameEn,
      description: row.description,
      descriptionEn: row.descriptionEn,
      serviceUrl: row.url,
      applicationKey: row.code,
      iconId: row.iconId,
      disabled: !row.enabled,
    },
  }))
  return entries
    .filter(({ parentId }) => parentId === null)
    .map(({ entry }) => ({
      ...entry,
      children: entries.filter(({ parentId }) => parentId === entry.id).map((child) => child.entry),
    }))
}

/** Returns functions for the labels of pages and groups in both languages. */
async function labels() {
  const [ru, en] = await Promise.all([loadMessages('ru'), loadMessages('en')])
  return {
    screen: (name: Screen['name']) => ({ title: ru.shell.screens[name], titleEn: en.shell.screens[name] }),
    group: (name: keyof typeof ru.shell.groups) => ({ title: ru.shell.groups[name], titleEn: en.shell.groups[name] }),
  }
}

const platformEntry = { applicationKey: 'platform', disabled: false }

type Titles = { title: string; titleEn: string }

const screenItem = (screen: Screen, titles: Titles, locale: string) => {
  const { name, path, layout, public: isPublic, tabNumber = null, menu } = screen
  const serviceUrl = screen.serviceUrl ?? null
  const redirect = screen.redirect ?? screen.serviceRedirect ?? null
  const title = localName(titles, locale)
  const meta = { layout, public: isPublic, tabNumber, title, serviceUrl, redirect }
  return { ...platformEntry, name, path, ...titles, serviceUrl, meta, leftMenu: menu !== undefined }
}

const groupItem = (name: MenuGroup | 'documents', titles: Titles, layout: Screen['layout'], locale: string) => {
  const meta = {
    layout,
    public: false,
    tabNumber: null,
    title: localName(titles, locale),
    serviceUrl: null,
    redirect: null,
  }
  return { ...platformEntry, name, ...titles, path: null, serviceUrl: null, meta, leftMenu: true, badge: null }
}

/** Returns the domain's agreements that menus show (docs/rules/pages.md#menus). */
async function agreementItems({ domain, locale }: Pick<Ctx, 'domain' | 'locale'>): Promise<MenuItem[]> {
  const { options } = await projectInfo(domain)
  const [first] = Object.values(options)
  const termsIn = (code: string) => (options[code] ?? first)?.lawInfo.termsInfo ?? []
  const english = new Map(termsIn('en').map((term) => [term.id, term.linkTitle || term.title]))
  return termsIn('ru').flatMap(({ id, title, linkTitle, link, menuVisible }) => {
    if (!menuVisible) return []
    const words = linkTitle || title
    const titles = { title: words, titleEn: english.get(id) ?? words }
    const localTerm = termsIn(locale).find((term) => term.id === id)
    const localTitle = localTerm ? localTerm.linkTitle || localTerm.title : words
    const meta = {
      layout: 'Law' as const,
      public: true,
      tabNumber: null,
      title: localTitle,
      serviceUrl: null,
      redirect: null,
    }
    const name: AgreementName = `LawPage-${id}`
    const item = { ...platformEntry, name, path: link, ...titles, serviceUrl: null, meta, leftMenu: true }
    return [{ ...item, badge: null, children: [] }]
  })
}

/** Returns the sections of the side menus for a person with these methods, according to the settings. */
export async function menuPages(methods: ReadonlySet<string>): Promise<MenuSection[]> {
  const { localNotifies, accessRequests } = await platformSettings()
  const showsRequests = accessRequests || holdsMethod({ methods }, 'masterAccountAccess')
  return menuSections(methods).map((section) => ({
    ...section,
    screens: section.screens.filter(
      ({ name }) => (localNotifies || name !== 'Notify') && (showsRequests || name !== 'UserProfileAccessRequests'),
    ),
  }))
}

/** Returns the side menus of the signed-in person: the existing pages that the person's methods open. Throws 401. */
export async function getMenu(ctx: Ctx): Promise<{ menu: MenuItem[] }> {
  requireUser(ctx)
  const { locale } = ctx
  const sections = await menuPages(ctx.user.methods)
  const [label, badges, agreements] = await Promise.all([labels(), menuBadges(ctx.user, sections), agreementItems(ctx)])
  const menu = sections.flatMap(({ group, headless, screens: sectionScreens }): MenuItem[] => {
    const entries = sectionScreens.map((screen) => ({
      ...screenItem(screen, label.screen(screen.name), locale),
      badge: badges.get(screen.name) ?? null,
    }))
    const [first] = entries
    if (headless || !first) return entries.map((entry) => ({ ...entry, children: [] }))
    return [{ ...groupItem(group, label.group(group), first.meta.layout, locale), children: entries }]
  })
  if (agreements.length === 0) return { menu }
  const documents = groupItem('documents', label.group('documents'), 'Profile', locale)
  return { menu: [...menu, { ...documents, children: agreements.map(({ children: _, ...entry }) => entry) }] }
}

/** Returns the signed-in person's services on this domain. Throws 401. */
export async function getServicesMenu(ctx: Ctx): Promise<{ menu: ServiceItem[] }> {
  requireUser(ctx)
  return { menu: await serviceItems(ctx.user, ctx.domain) }
}

const registrationPages: readonly string[] = ['RegistrationStepOne', 'RegistrationStepTwo']

/**
 * Returns the public pages, with the agreements that menus show. The page about refused access is not among them
 * (docs/rules/pages.md#menus), nor is the registration while it is disabled.
 */
export async function getPublicMenu(ctx: Ctx): Promise<{ menu: MenuItem[] }> {
  const [label, { registrationEnabled }, agreements] = await Promise.all([
    labels(),
    platformSettings(),
    agreementItems(ctx),
  ])
  const publicScreens = screens.filter(
    ({ name, layout, public: isPublic }) =>
      isPublic && layout !== 'NoAccess' && (registrationEnabled || !registrationPages.includes(name)),
  )
  const pages = publicScreens.map((screen) => ({
    ...screenItem(screen, label.screen(screen.name), ctx.locale),
    badge: null,
    children: [],
  }))
  return { menu: [...pages, ...agreements] }
}
