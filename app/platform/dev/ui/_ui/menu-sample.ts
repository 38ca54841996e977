import type { MenuSectionView } from '@/components/shell/menu-view'
import type { Family } from '@/lib/base/navigation/menu-groups'

export const menuPath = '/platform/dev/ui/menu'

/** As many pages as the administration will have, in groups; some belong to families. */
const groups = {
  home: ['overview'],
  people: ['users', 'roles', 'organizations', 'contractors'],
  entry: ['applications', 'domains', 'schemas', 'providers', 'deviceTypes'],
  network: ['whitelist', 'blacklist', 'aliases'],
  platform: ['settings', 'delivery', 'fields', 'libraries', 'sync', 'exchange'],
  observation: ['history', 'monitoring', 'diagnostics', 'license'],
} as const

export type SampleGroup = keyof typeof groups
export type SamplePage = (typeof groups)[SampleGroup][number]

const families: Partial<Record<SamplePage, Family>> = {
  whitelist: 'lists',
  blacklist: 'lists',
  settings: 'settings',
  delivery: 'settings',
  sync: 'integration',
  exchange: 'integration',
}
const badges: Partial<Record<SamplePage, number>> = { overview: 3, blacklist: 2 }

export const samplePages = Object.values(groups).flat() as SamplePage[]

const nameOf = (page: SamplePage) => `LawPage-${page}` as const

/** Returns the family of an entry of `sampleMenu`. */
export const sampleFamily = (name: string) => families[name.replace('LawPage-', '') as SamplePage]

/** Returns the pages as a side menu, before families are folded. */
export const sampleMenu = (
  groupLabel: (group: Exclude<SampleGroup, 'home'>) => string,
  pageLabel: (page: SamplePage) => string,
): MenuSectionView[] =>
  (Object.keys(groups) as SampleGroup[]).map((group) => ({
    title: group === 'home' ? null : groupLabel(group),
    links: groups[group].map((page: SamplePage) => ({
      name: nameOf(page),
      label: pageLabel(page),
      href: `${menuPath}/${page}`,
      outer: false,
      badge: badges[page] ?? null,
    })),
  }))
