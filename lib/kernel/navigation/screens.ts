import { type Area, areas } from '../access-methods'
import type { MenuGroup } from './menu-groups'

type Row = {
  name: string
  /** Below the host, with `{id}` for a parameter. */
  path: string
  layout: 'Auth' | 'Profile' | 'Platform' | 'Law' | 'NoAccess'
  public: boolean
  tabNumber?: number
  /** Administration: open to whoever may read this area; `any`: to whoever may read one. */
  area?: Area | 'any'
  /** Its group in the side menu. Without one the page is reached from others. */
  menu?: MenuGroup
  /** Its claim to one of the three places in the phone's bottom bar; 1 comes first. */
  bar?: number
  /** `false`: groups other pages, and is no link in the breadcrumbs. */
  clickable?: false
  /** Leads to this path instead. */
  redirect?: string
  /** Another service's address at which the page lives. */
  serviceUrl?: string
  /** Leads to this path with the full path that was asked for in its query parameter `path`. */
  serviceRedirect?: string
}

const rows = [
  { name: 'Auth', path: '/platform/login', layout: 'Auth', public: true, tabNumber: 0 },
  { name: 'RegistrationStepOne', path: '/platform/registration', layout: 'Auth', public: true },
  { name: 'RegistrationStepTwo', path: '/platform/registration/{id}', layout: 'Auth', public: true },
  { name: 'SetPassword', path: '/platform/login/password/{id}', layout: 'Auth', public: true },
  { name: 'Invitation', path: '/platform/invitation/{id}', layout: 'Auth', public: true },
  { name: 'ForgotPassword', path: '/platform/forgot-password', layout: 'Auth', public: true },
  { name: 'NewPassword', path: '/platform/new-password/{id}', layout: 'Auth', public: true },
  { name: 'HelpService', path: '/platform/help', layout: 'Law', public: true },
  { name: 'LawPage', path: '/platform/law/{id}', layout: 'Law', public: true },
  { name: 'NoAccess', path: '/platform/no-access', layout: 'NoAccess', public: true },
  { name: 'NotFound', path: '/platform/404', layout: 'NoAccess', public: true },
  { name: 'switchService', path: '/platform/apps', layout: 'Profile', public: false, menu: 'home', bar: 4 },
  { name: 'UserProfile', path: '/platform/profile', layout: 'Profile', public: false, menu: 'home', bar: 1 },
  {
    name: 'UserProfileMain',
    path: '/platform/profile/personal',
    layout: 'Profile',
    public: false,
    menu: 'account',
    bar: 5,
  },
  {
    name: 'UserProfileSessions',
    path: '/platform/profile/sessions',
    layout: 'Profile',
    public: false,
    menu: 'account',
    bar: 6,
  },
  {
    name: 'UserProfileApplications',
    path: '/platform/profile/applications',
    layout: 'Profile',
    public: false,
    menu: 'account',
  },
  { name: 'Platform', path: '/platform/setting', layout: 'Platform', public: false, area: 'any', menu: 'overview' },
  {
    name: 'PlatformDeviceTypes',
    path: '/platform/setting/device-types',
    layout: 'Platform',
    public: false,
    area: 'device-types',
    menu: 'access',
  },
  {
    name: 'PlatformNetworkAliases',
    path: '/platform/setting/network-aliases',
    layout: 'Platform',
    public: false,
    area: 'network-aliases',
    menu: 'access',
  },
] as const satisfies readonly Row[]

export type ScreenName = (typeof rows)[number]['name']
/** The pages that stand in a side menu: each has its picture. */
export type MenuScreenName = Extract<(typeof rows)[number], { menu: MenuGroup }>['name']
/** The agreements of a domain, which stand in menus too. */
export type AgreementName = `LawPage-${string}`
/** What an entry of a menu is known by: a page, an agreement, or a group of them. */
export type EntryName = ScreenName | AgreementName | MenuGroup | 'documents'
/** A page of the platform (docs/rules/pages.md#addresses). Its label is `shell.screens.<name>`. */
export type Screen = Omit<Row, 'name'> & { name: ScreenName }

/** The pages there are, in the order of the menus. An address that matches none is unknown and leads to the root. */
export const screens: readonly Screen[] = rows

/** Names of the public pages that somebody signed in may still open. */
const allowedSignedIn = new Set([
  'RegistrationStepTwo',
  'NewPassword',
  'SetPassword',
  'Invitation',
  'HelpService',
  'LawPage',
  'NoAccess',
  'NotFound',
])

const patternOf = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`)
const patterns = screens.map((screen) => ({ screen, pattern: patternOf(screen.path) }))

/** The page at a path, or undefined. */
export const screenAt = (path: string): Screen | undefined => patterns.find(({ pattern }) => pattern.test(path))?.screen

/** The page of that name, or undefined. */
export const screenNamed = (name: string): Screen | undefined => screens.find((screen) => screen.name === name)

/** The path of a page by name; undefined while there is no such page, so that nothing links to it. */
export const pathOfScreen = (name: string): string | undefined => screenNamed(name)?.path

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
