import type { MenuItem } from '@/lib/applications/menu/contract'
import { localName } from '@/lib/base/i18n/local-name'
import type { Family } from '@/lib/base/navigation/menu-groups'
import { screenNamed } from '@/lib/base/navigation/screens'
import { hasIcon, type IconName } from './screen-icon'

/** A menu entry in one language, with its address. */
export type MenuLinkView = {
  name: IconName
  label: string
  href: string
  outer: boolean
  badge: number | null
  /** The address of the part of the page that its badge counts, if the page opens with another part. */
  waiting?: string
  /** The pages of this entry, if it is a family of pages. */
  tabs?: MenuTab[]
}
export type MenuTab = { label: string; href: string; badge: number | null }
/** A group of the side menu. The group without a title is at the top. */
export type MenuSectionView = { title: string | null; links: MenuLinkView[] }

type Entry = Omit<MenuItem, 'children'>

/** Pages whose badge counts the content of another tab than the first (docs/rules/pages.md#menus). */
const waitingTabs: Partial<Record<IconName, string>> = {
  UserProfileAccessRequests: 'incoming',
  UserProfileInvitationsRequests: 'incoming',
}

function linkOf(entry: Entry, locale: string): MenuLinkView[] {
  const href = entry.serviceUrl ?? entry.path
  // a disabled route is skipped (docs/rules/pages.md#menus)
  const { name, badge } = entry
  if (!href || entry.disabled || !entry.leftMenu || !hasIcon(name)) return []
  const tab = badge === null ? undefined : waitingTabs[name]
  const waitingTab = tab === undefined ? {} : { waiting: `${href}?tab=${tab}` }
  return [{ name, label: localName(entry, locale), href, outer: entry.serviceUrl !== null, badge, ...waitingTab }]
}

/** The side menu of a layout in one language. */
export function sideMenu(
  menu: readonly MenuItem[],
  layout: Entry['meta']['layout'],
  locale: string,
): MenuSectionView[] {
  const entries = menu.filter(({ meta }) => meta.layout === layout)
  const top = entries.filter(({ children }) => children.length === 0).flatMap((entry) => linkOf(entry, locale))
  const groups = entries
    .filter(({ children }) => children.length > 0)
    .map((group) => ({
      title: localName(group, locale),
      links: group.children.flatMap((entry) => linkOf(entry, locale)),
    }))
  return [{ title: null, links: top }, ...groups].filter(({ links }) => links.length > 0)
}

/**
 * Replaces the pages of each family by one entry. It has the place and address of the first of them, and the sum of
 * their badges. If a person may open only one page of a family, the entry is that page.
 */
export function foldFamilies(
  sections: readonly MenuSectionView[],
  labelOf: (family: Family) => string,
  familyOf: (name: string) => Family | undefined = (name) => screenNamed(name)?.family,
): MenuSectionView[] {
  const allLinks = sections.flatMap(({ links }) => links)
  const membersOf = (family: Family) => allLinks.filter(({ name }) => familyOf(name) === family)
  const folded = (link: MenuLinkView): MenuLinkView[] => {
    const family = familyOf(link.name)
    const members = family ? membersOf(family) : []
    if (!family || members.length < 2) return [link]
    if (members[0] !== link) return []
    const tabs = members.map(({ label, href, badge }) => ({ label, href, badge }))
    const waitingCount = tabs.reduce((sum, { badge }) => sum + (badge ?? 0), 0)
    return [{ ...link, label: labelOf(family), badge: waitingCount || null, tabs }]
  }
  return sections
    .map((section) => ({ ...section, links: section.links.flatMap(folded) }))
    .filter(({ links }) => links.length > 0)
}

/** Returns the families among the entries of a menu, for the tabs on their pages. */
export const familiesOf = (sections: readonly MenuSectionView[]): { label: string; tabs: MenuTab[] }[] =>
  sections.flatMap(({ links }) => links.flatMap(({ label, tabs }) => (tabs ? [{ label, tabs }] : [])))
