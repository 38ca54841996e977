import type { SystemicMethod } from '../access/access-methods'

/** The tabs of a card in their order, each with the method that it needs; `null`: no more than the page's method. */
export type CardTabs = Readonly<Record<string, SystemicMethod | null>>

type Name<T> = keyof T & string

/** Returns the names of the tabs that a person may open. */
export const openTabs = <T extends CardTabs>(tabs: T, holds: (method: SystemicMethod) => boolean): Name<T>[] =>
  (Object.keys(tabs) as Name<T>[]).filter((name) => {
    const method = tabs[name]
    return !method || holds(method)
  })

/**
 * Returns the tab that an address names, by default the first; 404 if there is no such tab, 403 if the person lacks its
 * method.
 */
export function requestedTab<T extends CardTabs>(
  tabs: T,
  tabInAddress: string | string[] | undefined,
  holds: (method: SystemicMethod) => boolean,
): Name<T> | 403 | 404 {
  const names = Object.keys(tabs) as Name<T>[]
  const name = tabInAddress === undefined ? names[0] : names.find((tab) => tab === tabInAddress)
  if (name === undefined) return 404
  return openTabs(tabs, holds).includes(name) ? name : 403
}

/** Returns the address of a tab; the first tab has the address of the card. */
export const tabHref = <T extends CardTabs>(tabs: T, path: string, name: Name<T>): string =>
  name === Object.keys(tabs)[0] ? path : `${path}?tab=${encodeURIComponent(name)}`
