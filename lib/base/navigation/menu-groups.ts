/** Groups of the side menus, in order. */
export const menuGroups = [
  'home',
  'account',
  'work',
  'overview',
  'access',
  'people',
  'settings',
  'libraries',
  'integration',
  'observation',
] as const
export type MenuGroup = (typeof menuGroups)[number]

/** Families of pages: the pages of a family share one entry of the side menu, and each shows all as tabs. */
export type Family = 'applications' | 'settings' | 'lists' | 'libraries' | 'integration'

/** Groups without a heading, at the top of the menu. */
export const headless: readonly MenuGroup[] = ['home', 'overview']
