/** The pages of the Auth layout that end with a GUID (docs/rules/pages.md#after-sign-in). */
const authLink =
  /^\/platform\/(login\/password|registration|invitation|new-password)\/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * An address of ours if it is one: a path below /platform with its query, else null. Refuses other hosts in
 * every spelling (`//x`, `/\x`, encoded, control characters) and dot segments that lead out.
 */
export function ownPath(address: string | null | undefined): string | null {
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
  if (url.origin !== base || !/^\/platform(\/|$)/.test(url.pathname) || url.pathname.includes('//')) return null
  return url.pathname + url.search
}

/** Whether a path of ours goes on with an application's request. */
export const isInteraction = (path: string) => path.startsWith('/platform/interaction/')

/**
 * Pages at which somebody who signs in stays (docs/rules/pages.md#after-sign-in); `interaction` resumes an
 * application's request.
 */
export const staysAfterSignIn = (path: string) =>
  /^\/platform\/((profile|setting|law|interaction)(\/|$)|(notify|help)$)/.test(path) || authLink.test(path)

/**
 * Services by which it is decided where somebody belongs: documentation is none of its own
 * (docs/rules/profile.md#services).
 */
export const countedServices = <T extends { code: string }>(services: readonly T[]): T[] =>
  services.filter(({ code }) => code !== 'documentation')

type Destination = {
  /** Where the person was going: checked by ownPath. */
  path: string | null
  services: readonly { code: string; serviceUrl: string }[]
  requiredFieldsEmpty: boolean
}

/**
 * docs/rules/pages.md#after-sign-in: a profile, setting, law or link page is returned to; otherwise with no services or
 * empty required fields the profile, with exactly one service that service, with several the switch.
 */
export function addressAfterSignIn({ path, services, requiredFieldsEmpty }: Destination): string {
  if (path && staysAfterSignIn(path.split('?')[0] ?? '')) return path
  const [first, ...others] = countedServices(services)
  if (!first || requiredFieldsEmpty) return '/platform/profile'
  return others.length === 0 ? first.serviceUrl : '/platform/apps'
}
