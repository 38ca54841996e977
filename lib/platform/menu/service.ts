import { requireUser } from '@/lib/kernel/access'
import { cached } from '@/lib/kernel/cache'
import type { Ctx, CtxDomain, CtxUser } from '@/lib/kernel/ctx'
import { loadMessages } from '@/lib/kernel/i18n/messages'
import { menuBadges, menuSections } from '@/lib/kernel/navigation/menu'
import { type Screen, screens } from '@/lib/kernel/navigation/screens'
import type { MenuItem, ServiceItem } from './contract'
import { menuApplications } from './queries'

export type Service = { id: string; code: string; title: string; titleEn: string | null; serviceUrl: string }

type Who = Pick<CtxUser, 'methodIds'>
type Where = Pick<CtxDomain, 'id'>

/** Applications of the menu that ask for no method, or for one that the user has; on this domain. */
async function openApplications(user: Who, domain: Where) {
  const rows = await cached('applications:menu', async () => menuApplications())
  return rows.filter(
    ({ domainIds, methodIds }) =>
      (domainIds.length === 0 || domainIds.includes(domain.id)) &&
      (methodIds.length === 0 || methodIds.some((id) => user.methodIds.has(id))),
  )
}

/** The services that the user can go to from this domain, virtual ones included. */
export async function userServices(user: Who, domain: Where): Promise<Service[]> {
  const rows = await openApplications(user, domain)
  return rows
    .filter(({ enabled }) => enabled)
    .map(({ id, code, name, nameEn, url }) => ({ id, code, title: name, titleEn: nameEn, serviceUrl: url }))
}

/** The same with those that are switched off for now, and virtual applications below their parent. */
export async function serviceItems(user: Who, domain: Where): Promise<ServiceItem[]> {
  const rows = await openApplications(user, domain)
  const entries = rows.map((row) => ({
    parentId: row.type === 'virtual' && rows.some(({ id }) => id === row.parentId) ? row.parentId : null,
    entry: {
      id: row.id,
      name: row.code,
      title: row.name,
      titleEn: row.nameEn,
      description: row.description,
      serviceUrl: row.url,
      applicationKey: row.code,
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

/** Labels of pages and groups in both languages. */
async function labels() {
  const [ru, en] = await Promise.all([loadMessages('ru'), loadMessages('en')])
  return {
    screen: (name: Screen['name']) => ({ title: ru.shell.screens[name], titleEn: en.shell.screens[name] }),
    group: (name: keyof typeof ru.shell.groups) => ({ title: ru.shell.groups[name], titleEn: en.shell.groups[name] }),
  }
}

const plain = { applicationKey: 'platform', disabled: false }

const screenItem = ({ name, path, layout, public: open, tabNumber, serviceUrl, menu }: Screen) => ({
  ...plain,
  name,
  path,
  serviceUrl: serviceUrl ?? null,
  meta: { layout, public: open, tabNumber: tabNumber ?? null },
  leftMenu: menu !== undefined,
})

/** The side menus of the signed-in person, made from the pages there are and the person's methods. */
export async function userMenu(ctx: Ctx): Promise<{ menu: MenuItem[] }> {
  requireUser(ctx)
  const sections = menuSections(ctx.user.methods)
  const [label, badges] = await Promise.all([labels(), menuBadges(ctx.user, sections)])
  const menu = sections.flatMap(({ group, headless, screens: open }): MenuItem[] => {
    const entries = open.map((screen) => ({
      ...screenItem(screen),
      ...label.screen(screen.name),
      badge: badges.get(screen.name) ?? null,
    }))
    const [first] = entries
    if (headless || !first) return entries.map((entry) => ({ ...entry, children: [] }))
    const { layout } = first.meta
    return [
      {
        ...plain,
        name: group,
        ...label.group(group),
        path: null,
        serviceUrl: null,
        meta: { layout, public: false, tabNumber: null },
        leftMenu: true,
        badge: null,
        children: entries,
      },
    ]
  })
  return { menu }
}

/** The services of the signed-in person on this domain. */
export async function servicesMenu(ctx: Ctx): Promise<{ menu: ServiceItem[] }> {
  requireUser(ctx)
  return { menu: await serviceItems(ctx.user, ctx.domain) }
}

/** The public pages; the page about refused access stands in no menu (portal.md section 2). */
export async function publicMenu(): Promise<{ menu: MenuItem[] }> {
  const label = await labels()
  const open = screens.filter((screen) => screen.public && screen.layout !== 'NoAccess')
  return {
    menu: open.map((screen) => ({ ...screenItem(screen), ...label.screen(screen.name), badge: null, children: [] })),
  }
}
