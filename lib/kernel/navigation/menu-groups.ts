/** Groups of the side menus in order; the first of each layout stand without a heading. */
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

/** Their entries stand at the top of the menu, without a heading. */
export const headless: readonly MenuGroup[] = ['home', 'overview']
