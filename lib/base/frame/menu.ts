import type { CtxUser } from '../context/ctx'
import { headless, type MenuGroup, menuGroups } from '../navigation/menu-groups'
import { isOpenTo, type Screen, screens } from '../navigation/screens'
import { badgesOf } from './badges'

/** A group of the side menu with its pages, or the pages without a heading. */
export type MenuSection = { group: MenuGroup; headless: boolean; screens: Screen[] }

/** Returns the sections of a side menu that the methods open, in order and without empty ones. */
export function menuSections(methods: ReadonlySet<string>, all: readonly Screen[] = screens): MenuSection[] {
  return menuGroups.flatMap((group) => {
    const open = all.filter((screen) => screen.menu === group && isOpenTo(screen, methods))
    return open.length > 0 ? [{ group, headless: headless.includes(group), screens: open }] : []
  })
}

/** Returns the pages of the phone's bottom bar: the three with the lowest `bar`, in the order of the menu. */
export function barScreens(open: readonly Screen[]): Screen[] {
  const claimed = open.filter(({ bar }) => bar !== undefined).toSorted((a, b) => (a.bar ?? 0) - (b.bar ?? 0))
  return open.filter((screen) => claimed.slice(0, 3).includes(screen))
}

/** Returns badges by the name of the page, for the pages of these sections. */
export const menuBadges = (user: CtxUser, sections: readonly MenuSection[]): Promise<Map<string, number>> =>
  badgesOf(
    sections.flatMap((section) => section.screens.map(({ name }) => name)),
    user,
  )
