import type { CookieOptions, Cookies } from '@/lib/kernel/ctx'
import { env } from '@/lib/kernel/env'

/** Cookies that scripts of ours read or write too; they carry nothing worth protecting. */
const open = new Set(['locale', 'theme', 'cookieConsent', 'deviceType'])

const isSecure = () => env().PUBLIC_URL.startsWith('https:')
/**
 * `__Host-` binds a cookie to this very host; browsers take it over https alone. Over http, on one's own machine, cookies
 * are shared by all ports: the applications there may have a `session` of their own.
 */
export const cookieName = (name: string) => (open.has(name) ? name : `${isSecure() ? '__Host-' : 'platform-'}${name}`)

/** The Set-Cookie line for one of our cookies; a `null` value removes it. */
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

/** Reads a Cookie header's values by our names; of repeated ones the first counts. */
export function readCookies(header: string | null): (name: string) => string | undefined {
  const values = new Map<string, string>()
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    if (at < 1 || values.has(name)) continue
    try {
      const value = decodeURIComponent(pair.slice(at + 1).trim())
      // none of ours holds controls, and PostgreSQL could not even look for NUL
      if (!/\p{Cc}/u.test(value)) values.set(name, value)
    } catch {
      // a malformed value is no value
    }
  }
  return (name) => values.get(cookieName(name))
}

/** A jar that collects what the answer must set; a value set is read back at once. */
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
