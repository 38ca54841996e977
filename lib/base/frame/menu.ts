import type { CtxUser } from '../context/ctx'
import { headless, type MenuGroup, menuGroups } from '../navigation/menu-groups'
import { isOpenTo, type Screen, screens } from '../navigation/screens'
import { badgesOf } from './badges'

/** A group of the side menu with its pages; `headless` if it has no heading. */
export type MenuSection = { group: MenuGroup; headless: boolean; screens: Screen[] }

/** Returns the sections of a side menu with the pages that these methods open, in order and without empty sections. */
export function menuSections(methods: ReadonlySet<string>, allScreens: readonly Screen[] = screens): MenuSection[] {
  return menuGroups.flatMap((group) => {
    const openScreens = allScreens.filter((screen) => screen.menu === group && isOpenTo(screen, methods))
    return openScreens.length > 0 ? [{ group, headless: headless.includes(group), screens: openScreens }] : []
  })
}

/** Returns the pages of a phone's bottom bar: the three with the lowest `bar`, in the order of the menu. */
export function barScreens(openScreens: readonly Screen[]): Screen[] {
  const candidates = openScreens.filter(({ bar }) => bar !== undefined).toSorted((a, b) => (a.bar ?? 0) - (b.bar ?? 0))
  return openScreens.filter((screen) => candidates.slice(0, 3).includes(screen))
}

/** Returns the badges of the pages of these sections, by the name of the page. */
export const menuBadges = (user: CtxUser, sections: readonly MenuSection[]): Promise<Map<string, number>> =>
  badgesOf(
    sections.flatMap((section) => section.screens.map(({ name }) => name)),
    user,
  )
