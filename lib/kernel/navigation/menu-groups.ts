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

/** Groups without a heading, at the top of the menu. */
export const headless: readonly MenuGroup[] = ['home', 'overview']
