const guidAtEnd = /\/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

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

/** Pages at which somebody who signs in stays (portal.md section 2); `interaction` resumes an application's request. */
export const staysAfterSignIn = (path: string) =>
  /^\/platform\/(profile|setting|law|interaction)(\/|$)/.test(path) || guidAtEnd.test(path)

type Destination = {
  /** Where the person was going: checked by ownPath. */
  path: string | null
  services: readonly { code: string; serviceUrl: string }[]
  requiredFieldsEmpty: boolean
}

/**
 * portal.md section 2: a profile, setting, law or link page is returned to; otherwise with no services or
 * empty required fields the profile, with exactly one service that service, with several the switch.
 */
export function addressAfterSignIn({ path, services, requiredFieldsEmpty }: Destination): string {
  if (path && staysAfterSignIn(path.split('?')[0] ?? '')) return path
  const [first, ...others] = services.filter(({ code }) => code !== 'documentation')
  if (!first || requiredFieldsEmpty) return '/platform/profile'
  return others.length === 0 ? first.serviceUrl : '/platform/apps'
}
