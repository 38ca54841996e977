/** The pages of the Auth layout that end with a GUID (docs/rules/pages.md#after-sign-in). */
const authLink =
  /^\/platform\/(login\/password|registration|invitation|new-password)\/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * Returns the address if its path matches `roots`, with its query; null otherwise. Refuses other hosts in every spelling
 * (`//x`, `/\x`, encoded, control characters) and dot segments that lead out of the roots.
 */
function pathBelow(roots: RegExp, address: string | null | undefined): string | null {
  if (!address || address.length > 2048) return null
  let decoded: string
  try {
    decoded = decodeURIComponent(address)
  } catch {
    return null
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop these, which would change the address
  if (/[\\\u0000-\u0020\u007f]|\/\//.test(decoded.split('?')[0] ?? '')) return null
  const base = 'https://own.invalid'
  if (!address.startsWith('/') || !URL.canParse(address, base)) return null
  const url = new URL(address, base)
  if (url.origin !== base || !roots.test(url.pathname) || url.pathname.includes('//')) return null
  return url.pathname + url.search
}

/** Returns the address if it is a path below /platform, with its query; null otherwise, in every spelling. */
export const ownPath = (address: string | null | undefined) => pathBelow(/^\/platform(\/|$)/, address)

/** As `ownPath`, for pages of the OpenID Provider too. */
export const ownPage = (address: string | null | undefined) => pathBelow(/^\/(platform|oidc)(\/|$)/, address)

/** Returns whether a path continues an authorization request of an application. */
export const isInteraction = (path: string) => path.startsWith('/platform/interaction/')

/**
 * Returns whether somebody who signs in returns to this page (docs/rules/pages.md#after-sign-in); `interaction`
 * continues the request of an application.
 */
export const staysAfterSignIn = (path: string) =>
  /^\/platform\/((profile|setting|law|interaction)(\/|$)|(notify|help)$)/.test(path) || authLink.test(path)

/**
 * Returns the services that decide where a person goes after sign-in; documentation does not count
 * (docs/rules/profile.md#services).
 */
export const countedServices = <T extends { code: string }>(services: readonly T[]): T[] =>
  services.filter(({ code }) => code !== 'documentation')

/** Returns whether a requested path, already checked by ownPath, is where a person goes whatever they may do. */
export const keepsAfterSignIn = (path: string | null): path is string =>
  path !== null && staysAfterSignIn(path.split('?')[0] ?? '')

type Destination = {
  services: readonly { code: string; serviceUrl: string }[]
  requiredFieldsEmpty: boolean
}

/**
 * Returns the address after sign-in of somebody whose requested path isn't kept (docs/rules/pages.md#after-sign-in):
 * the profile if there are no services or required fields are empty, the service if there is exactly one, and the choice
 * of services if there are several.
 */
export function addressAfterSignIn({ services, requiredFieldsEmpty }: Destination): string {
  const [firstService, ...otherServices] = countedServices(services)
  if (!firstService || requiredFieldsEmpty) return '/platform/profile'
  return otherServices.length === 0 ? firstService.serviceUrl : '/platform/apps'
}
