/** A page of the platform (portal.md section 2, route records). */
export type Screen = {
  name: string
  /** Below the host, with `{id}` for a parameter. */
  path: string
  layout: 'Auth' | 'Profile' | 'Platform' | 'Law' | 'NoAccess'
  public: boolean
  tabNumber?: number
}

/** The pages there are. An address that matches none is unknown and leads to the root. */
export const screens: readonly Screen[] = [
  { name: 'Auth', path: '/platform/login', layout: 'Auth', public: true, tabNumber: 0 },
  { name: 'SetPassword', path: '/platform/login/password/{id}', layout: 'Auth', public: true },
  { name: 'LawPage', path: '/platform/law/{id}', layout: 'Law', public: true },
  { name: 'switchService', path: '/platform/apps', layout: 'Profile', public: false },
  { name: 'UserProfile', path: '/platform/profile', layout: 'Profile', public: false },
  { name: 'UserProfileMain', path: '/platform/profile/personal', layout: 'Profile', public: false },
]

/** Names of the public pages that somebody signed in may still open. */
const allowedSignedIn = new Set([
  'RegistrationStepTwo',
  'NewPassword',
  'SetPassword',
  'Invitation',
  'HelpService',
  'LawPage',
  'NoAccess',
])

const patterns = screens.map((screen) => ({
  screen,
  pattern: new RegExp(`^${screen.path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
}))

/** The page at a path, or undefined. */
const screenAt = (path: string): Screen | undefined => patterns.find(({ pattern }) => pattern.test(path))?.screen

const pathOf = (name: string): string => {
  const found = screens.find((screen) => screen.name === name)
  if (!found) throw new Error(`there is no screen ${name}`)
  return found.path
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
 * The navigation rules of portal.md section 2: where a visit leads instead, or null to go on.
 * Signed out and the page is protected: to sign in, and back afterwards. Signed in and the page is for
 * signing in: to the services, or to the profile when there are none. Unknown: to the root.
 */
export async function redirectFor({ path, search, signedIn, hasServices }: Visit): Promise<string | null> {
  const screen = screenAt(path)
  if (!screen) return path === '/' ? pathOf('Auth') : '/'
  if (!screen.public && signedIn === false) return `${pathOf('Auth')}?path=${encodeURIComponent(path + search)}`
  if (screen.layout === 'Auth' && signedIn === true && !allowedSignedIn.has(screen.name))
    return pathOf((await hasServices()) ? 'switchService' : 'UserProfileMain')
  return null
}
