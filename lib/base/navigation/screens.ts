import { type Area, areas } from '../access/access-methods'
import type { ColumnChoice } from '../contracts/list-columns'
import type { MenuGroup } from './menu-groups'
import type { ScreenDeclaration, ScreenRow } from './screen'
import { rows } from './screens.generated'

export type ScreenName = (typeof rows)[number]['name']
/** The pages in side menus: each has its icon. */
export type MenuScreenName = Extract<(typeof rows)[number], { menu: MenuGroup }>['name']
/** The agreements of a domain, which are in menus too. */
export type AgreementName = `LawPage-${string}`
/** The name of an entry of a menu: a page, an agreement, or a group of them. */
export type EntryName = ScreenName | AgreementName | MenuGroup | 'documents'
/** The columns that a person shows of the list on a screen. */
export type ChosenColumns = { list: ScreenName; chosen: ColumnChoice }

/** A page of the platform (docs/rules/pages.md#addresses). Its label is `shell.screens.<name>`. */
export type Screen = Omit<ScreenRow, 'name'> & { name: ScreenName }

/** The searchable list and the action of a page, as the generated index lists them. */
export type PaletteRow = { name: MenuScreenName; path: string; area: Area } & NonNullable<ScreenDeclaration['palette']>

/** All pages in the order of the menus. An address that matches none is unknown and redirects to the root. */
export const screens: readonly Screen[] = rows

/** Names of the public pages that people who are signed in may still open. */
const publicWhileSignedIn = new Set([
  'AgreementsAsked',
  'RegistrationStepTwo',
  'NewPassword',
  'SignInReport',
  'SetPassword',
  'Invitation',
  'HelpService',
  'LawPage',
  'NoAccess',
  'NotFound',
])

const patternOf = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`)
// a literal part wins over a parameter
const patterns = screens
  .toSorted((a, b) => (a.path < b.path ? -1 : 1))
  .map((screen) => ({ screen, pattern: patternOf(screen.path) }))

/** Returns the page at a path; undefined without one. */
export const screenAt = (path: string): Screen | undefined => patterns.find(({ pattern }) => pattern.test(path))?.screen

/** Returns the page of a name; undefined if no page has it. */
export function screenNamed(name: ScreenName): Screen
export function screenNamed(name: string): Screen | undefined
export function screenNamed(name: string) {
  return screens.find((screen) => screen.name === name)
}

/** Returns the list of a card: the page whose path the card's path extends by an id. */
export const listOfCard = ({ path }: Pick<Screen, 'path'>): Screen | undefined =>
  screens.find((list) => `${list.path}/{id}` === path)

/** Returns the path of a page by name; undefined while there is no such page, so that nothing links to it. */
export const pathOfScreen = (name: string): string | undefined => screenNamed(name)?.path

/** Returns the address at which a signed-in person accepts the required agreements, and then goes to `path`. */
export const agreementsAddress = (path: string): string =>
  `${screenNamed('AgreementsAsked').path}?path=${encodeURIComponent(path)}`

/** Returns the values of the parameters in a page's path, in their order. */
export const idsIn = ({ path }: Pick<Screen, 'path'>, params: Readonly<Record<string, string>>): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => params[name] ?? '')

/**
 * Returns the address of an object's card by the name of its screen; the card of a part of an object takes both ids.
 */
export const cardPath = (name: ScreenName, ...ids: string[]): string =>
  ids.reduce((path, id) => path.replace(/\{\w+\}/, encodeURIComponent(id)), screenNamed(name).path)

const pathOf = (name: ScreenName): string => {
  const path = pathOfScreen(name)
  if (!path) throw new Error(`there is no screen ${name}`)
  return path
}

/** Returns whether a person's methods open the page: it needs the `read` of its area, `any` that of some area. */
export function isOpenTo({ area }: Pick<Screen, 'area'>, methods: ReadonlySet<string>): boolean {
  if (area === undefined) return true
  return area === 'any' ? areas.some((anyArea) => methods.has(`${anyArea}.read`)) : methods.has(`${area}.read`)
}

type Visit = {
  path: string
  /** The query with its question mark, or empty. */
  search: string
  /** `perhaps`: there is a cookie that hasn't been checked; then the rules on signed-in people don't apply. */
  signedIn: boolean | 'perhaps'
  /** Returns whether the person's service menu has entries; only called if the result matters. */
  hasServices: () => Promise<boolean>
}

/**
 * Applies the navigation rules of docs/rules/pages.md#navigation. Returns the address to which a visit is redirected,
 * or null. A protected page, signed out: to sign-in, and back afterwards. A page for signing in, signed in: to the
 * services, or to the profile without services. An unknown address: to the root. The page's own redirects come last.
 * `find` returns the page at a path.
 */
export async function redirectFor(
  { path, search, signedIn, hasServices }: Visit,
  find: (path: string) => Screen | undefined = screenAt,
): Promise<string | null> {
  const screen = find(path)
  if (!screen) return path === '/' ? pathOf('Auth') : '/'
  if (!screen.public && signedIn === false) return `${pathOf('Auth')}?path=${encodeURIComponent(path + search)}`
  if (screen.layout === 'Auth' && signedIn === true && !publicWhileSignedIn.has(screen.name))
    return pathOf((await hasServices()) ? 'switchService' : 'UserProfileMain')
  if (screen.serviceRedirect) return `${screen.serviceRedirect}?path=${encodeURIComponent(path + search)}`
  return screen.redirect ?? null
}
