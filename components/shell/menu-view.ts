import { localName } from '@/lib/kernel/i18n/local-name'
import type { MenuItem } from '@/lib/platform/menu/contract'
import { hasIcon, type IconName } from './screen-icon'

/** An entry as the shell shows it: one language, one address. */
export type MenuLinkView = { name: IconName; label: string; href: string; outer: boolean; badge: number | null }
/** A part of the side menu; without a title it is at the top. */
export type MenuSectionView = { title: string | null; links: MenuLinkView[] }

type Entry = Omit<MenuItem, 'children'>

function linkOf(entry: Entry, locale: string): MenuLinkView[] {
  const href = entry.serviceUrl ?? entry.path
  // a route that is switched off is skipped (docs/rules/pages.md#menus)
  const { name, badge } = entry
  if (!href || entry.disabled || !entry.leftMenu || !hasIcon(name)) return []
  return [{ name, label: localName(entry, locale), href, outer: entry.serviceUrl !== null, badge }]
}

/** The side menu of a layout in one language. */
export function sideMenu(
  menu: readonly MenuItem[],
  layout: Entry['meta']['layout'],
  locale: string,
): MenuSectionView[] {
  const own = menu.filter(({ meta }) => meta.layout === layout)
  const top = own.filter(({ children }) => children.length === 0).flatMap((entry) => linkOf(entry, locale))
  const groups = own
    .filter(({ children }) => children.length > 0)
    .map((group) => ({
      title: localName(group, locale),
      links: group.children.flatMap((entry) => linkOf(entry, locale)),
    }))
  return [{ title: null, links: top }, ...groups].filter(({ links }) => links.length > 0)
}
