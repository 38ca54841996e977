import { type Area, areas } from '../access/access-methods'
import type { ColumnChoice } from '../contracts/list-columns'
import type { MenuGroup } from './menu-groups'
import type { ScreenDeclaration, ScreenRow } from './screen'
import { rows } from './screens.generated'

export type ScreenName = (typeof rows)[number]['name']
/** The pages that stand in a side menu: each has its picture. */
export type MenuScreenName = Extract<(typeof rows)[number], { menu: MenuGroup }>['name']
/** The agreements of a domain, which stand in menus too. */
export type AgreementName = `LawPage-${string}`
/** What an entry of a menu is known by: a page, an agreement, or a group of them. */
export type EntryName = ScreenName | AgreementName | MenuGroup | 'documents'
/** Which columns a person shows of the list on a screen. */
export type KeptColumns = { list: ScreenName; chosen: ColumnChoice }

/** A page of the platform (docs/rules/pages.md#addresses). Its label is `shell.screens.<name>`. */
export type Screen = Omit<ScreenRow, 'name'> & { name: ScreenName }

/** Records and actions of an area, as the generated index lists them. */
export type PaletteRow = { name: MenuScreenName; path: string; area: Area } & NonNullable<ScreenDeclaration['palette']>

/** The pages there are, in the order of the menus. An address that matches none is unknown and leads to the root. */
export const screens: readonly Screen[] = rows

/** Names of the public pages that somebody signed in may still open. */
const allowedSignedIn = new Set([
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

/** The page at a path, or undefined. */
export const screenAt = (path: string): Screen | undefined => patterns.find(({ pattern }) => pattern.test(path))?.screen

/** The page of that name, or undefined if no page has it. */
export function screenNamed(name: ScreenName): Screen
export function screenNamed(name: string): Screen | undefined
export function screenNamed(name: string) {
  return screens.find((screen) => screen.name === name)
}

/** The list to which a card belongs: the page whose path it continues by an id. */
export const listOfCard = ({ path }: Pick<Screen, 'path'>): Screen | undefined =>
  screens.find((list) => `${list.path}/{id}` === path)

/** The path of a page by name; undefined while there is no such page, so that nothing links to it. */
export const pathOfScreen = (name: string): string | undefined => screenNamed(name)?.path

/** The address at which somebody who is signed in agrees to what is asked, and goes on to `path`. */
export const agreementsAddress = (path: string): string =>
  `${screenNamed('AgreementsAsked').path}?path=${encodeURIComponent(path)}`

/** Returns the parameters of a page's address, in their order. */
export const idsIn = ({ path }: Pick<Screen, 'path'>, params: Readonly<Record<string, string>>): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => params[name] ?? '')

/** The address of an object's card, by the name of its screen; that of a part of an object has both ids. */
export const cardPath = (name: ScreenName, ...ids: string[]): string =>
  ids.reduce((path, id) => path.replace(/\{\w+\}/, encodeURIComponent(id)), screenNamed(name).path)

const pathOf = (name: ScreenName): string => {
  const path = pathOfScreen(name)
  if (!path) throw new Error(`there is no screen ${name}`)
  return path
}

/** Whether the person's methods open the page: each area has its own, `any` takes one of them. */
export function isOpenTo({ area }: Pick<Screen, 'area'>, methods: ReadonlySet<string>): boolean {
  if (area === undefined) return true
  return area === 'any' ? areas.some((each) => methods.has(`${each}.read`)) : methods.has(`${area}.read`)
}

type Visit = {
  path: string
  /** With its question mark, or empty. */
  search: string
  /** `perhaps`: a cookie is there that nobody has looked into; no rule about people signed in applies. */
  signedIn: boolean | 'perhaps'
  /** Whether the person's service menu has entries; only asked for when it decides. */
  hasServices: () => Promise<boolean>
}

/**
 * The navigation rules of docs/rules/pages.md#navigation: where a visit leads instead, or null to go on.
 * Signed out and the page is protected: to sign in, and back afterwards. Signed in and the page is for
 * signing in: to the services, or to the profile when there are none. Unknown: to the root. A page's own
 * redirects come last. `find` tells which page is at a path.
 */
export async function redirectFor(
  { path, search, signedIn, hasServices }: Visit,
  find: (path: string) => Screen | undefined = screenAt,
): Promise<string | null> {
  const screen = find(path)
  if (!screen) return path === '/' ? pathOf('Auth') : '/'
  if (!screen.public && signedIn === false) return `${pathOf('Auth')}?path=${encodeURIComponent(path + search)}`
  if (screen.layout === 'Auth' && signedIn === true && !allowedSignedIn.has(screen.name))
    return pathOf((await hasServices()) ? 'switchService' : 'UserProfileMain')
  if (screen.serviceRedirect) return `${screen.serviceRedirect}?path=${encodeURIComponent(path + search)}`
  return screen.redirect ?? null
}
