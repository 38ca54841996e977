import type { CookieOptions, Cookies } from '@/lib/base/context/ctx'
import { env } from '@/lib/base/runtime/env'

/** Cookies that our scripts read or write too; their values need no protection. */
const scriptCookies = new Set(['locale', 'chosenLocale', 'theme', 'cookieConsent', 'deviceType', 'account', 'timeZone'])

const isSecure = () => env().PUBLIC_URL.startsWith('https:')
/**
 * Returns the name under which a cookie is sent. `__Host-` binds it to this host; browsers accept that over https only.
 * Over http all ports of a machine share cookies, so the prefix keeps ours apart from those of other applications.
 */
export const cookieName = (name: string) =>
  scriptCookies.has(name) ? name : `${isSecure() ? '__Host-' : 'platform-'}${name}`

/** Returns the Set-Cookie line for one of our cookies; a `null` value removes the cookie. */
export function cookieLine(
  name: string,
  value: string | null,
  { maxAge, httpOnly = true, path = '/' }: CookieOptions = {},
): string {
  const parts = [`${cookieName(name)}=${encodeURIComponent(value ?? '')}`, `Path=${path}`, 'SameSite=Lax']
  if (value === null) parts.push('Max-Age=0')
  else if (maxAge !== undefined) parts.push(`Max-Age=${Math.floor(maxAge)}`)
  if (httpOnly) parts.push('HttpOnly')
  if (isSecure()) parts.push('Secure')
  return parts.join('; ')
}

/** Reads the values of a Cookie header by our names. Of repeated cookies the first counts. */
export function readCookies(header: string | null): (name: string) => string | undefined {
  const values = new Map<string, string>()
  for (const pair of (header ?? '').split(';')) {
    const separator = pair.indexOf('=')
    // only what RFC 6265 allows around a pair: other spaces could imitate a name with a prefix
    const name = pair.slice(0, separator).replace(/^[ \t]+|[ \t]+$/g, '')
    if (separator < 1 || values.has(name)) continue
    try {
      const value = decodeURIComponent(pair.slice(separator + 1).trim())
      // our cookies contain no control characters, and PostgreSQL refuses NUL
      if (!/\p{Cc}/u.test(value)) values.set(name, value)
    } catch {
      // a malformed value counts as missing
    }
  }
  return (name) => values.get(cookieName(name))
}

/** Creates a jar that collects the cookies to set with the answer. A value can be read as soon as it was set. */
export function cookieJar(header: string | null): { cookies: Cookies; headers(): string[] } {
  const read = readCookies(header)
  const changed = new Map<string, { value: string | null; line: string }>()
  return {
    cookies: {
      get(name) {
        const change = changed.get(name)
        return change ? (change.value ?? undefined) : read(name)
      },
      set(name, value, options = {}) {
        changed.set(name, { value, line: cookieLine(name, value, options) })
      },
    },
    headers: () => [...changed.values()].map(({ line }) => line),
  }
}
