export type Country = { code: string; name: string; callingCode: string }

const digitsOf = (text: string) => text.replace(/\D/g, '')

/** Countries that dial 8 before a number at home: people there write it so. */
const trunk: Record<string, string> = { RU: '8', KZ: '8' }

/**
 * A number as typed, with its country: one that begins with + names its own, which is looked up by the longest
 * calling code; `home` wins among countries that share theirs. Gives the country and the digits after its code.
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

/** Of those who share a calling code, whose number it most likely is. */
const main = new Set(['US', 'RU', 'GB', 'IT', 'AU', 'NO', 'FI', 'MA', 'GP', 'RE'])

/** The whole number with its calling code, empty without digits: what calls take; the server brings it to E.164. */
export function wholeMobile(rest: string, country: Country | undefined): string {
  const digits = digitsOf(rest)
  if (digits === '' || !country) return ''
  const prefix = trunk[country.code]
  const national = prefix && digits.length === 11 && digits.startsWith(prefix) ? digits.slice(1) : digits
  return country.callingCode + national
}

/** A whole number as people read it, where all of its country's have one form; others as they are. */
export const shownMobile = (mobile: string) => mobile.replace(/^(\+7)(\d{3})(\d{3})(\d\d)(\d\d)$/, '$1 $2 $3-$4-$5')
