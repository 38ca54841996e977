/** A country by ISO 3166-1 alpha-2, with its calling code, such as +7. */
export type CallingCode = { code: string; callingCode: string }

/**
 * Splits a typed number into its country and the digits after the calling code. The country of a number that begins
 * with + is that of the longest calling code that fits; `home` wins among countries that share one, then the most likely
 * one. Public pages send this function as it stands here, so it uses nothing from outside itself.
 */
export function splitMobile(
  typed: string,
  countries: readonly CallingCode[],
  home: string,
): { country: string; rest: string } {
  const main = ['US', 'RU', 'GB', 'IT', 'AU', 'NO', 'FI', 'MA', 'GP', 'RE']
  if (!typed.trim().startsWith('+')) return { country: home, rest: typed }
  const digits = `+${typed.replace(/\D/g, '')}`
  const fitting = countries.filter(({ callingCode }) => digits.startsWith(callingCode))
  const longest = Math.max(0, ...fitting.map(({ callingCode }) => callingCode.length))
  const shared = fitting.filter(({ callingCode }) => callingCode.length === longest)
  const chosen = shared.find(({ code }) => code === home) ?? shared.find(({ code }) => main.includes(code)) ?? shared[0]
  return chosen ? { country: chosen.code, rest: digits.slice(longest) } : { country: home, rest: typed }
}
