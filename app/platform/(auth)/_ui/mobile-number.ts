export type Country = { code: string; name: string; callingCode: string }

const digitsOf = (text: string) => text.replace(/\D/g, '')

/** Countries where people dial 8 before a number within the country, and often write it. */
const trunk: Record<string, string> = { RU: '8', KZ: '8' }

/**
 * Splits a typed number into its country and the digits after the calling code. The country of a number that begins
 * with + is that of the longest calling code that fits; `home` wins among countries that share one.
 */
export function splitMobile(
  typed: string,
  countries: readonly Country[],
  home: string,
): { country: string; rest: string } {
  if (!typed.trim().startsWith('+')) return { country: home, rest: typed }
  const digits = `+${digitsOf(typed)}`
  const fitting = countries.filter(({ callingCode }) => digits.startsWith(callingCode))
  const longest = Math.max(0, ...fitting.map(({ callingCode }) => callingCode.length))
  const shared = fitting.filter(({ callingCode }) => callingCode.length === longest)
  const chosen = shared.find(({ code }) => code === home) ?? shared.find(({ code }) => main.has(code)) ?? shared[0]
  return chosen ? { country: chosen.code, rest: digits.slice(longest) } : { country: home, rest: typed }
}

/** Returns the most likely country of a number among those that share a calling code. */
const main = new Set(['US', 'RU', 'GB', 'IT', 'AU', 'NO', 'FI', 'MA', 'GP', 'RE'])

/**
 * Returns the whole number with its calling code, as calls take it, or an empty string without digits. The server
 * converts it to E.164.
 */
export function wholeMobile(typed: string, country: Country | undefined): string {
  const digits = digitsOf(typed)
  if (digits === '' || !country) return ''
  const prefix = trunk[country.code]
  const national = prefix && digits.length === 11 && digits.startsWith(prefix) ? digits.slice(1) : digits
  return country.callingCode + national
}

/** Formats a whole number if all numbers of its country have one format; returns others unchanged. */
export const shownMobile = (mobile: string) => mobile.replace(/^(\+7)(\d{3})(\d{3})(\d\d)(\d\d)$/, '$1 $2 $3-$4-$5')
