import { isKeyedHash, keyedHash, randomToken } from '@/lib/base/crypto/encryption'

/** The cookie of a browser to which the tokens of its forms are bound. */
export const browserCookie = 'browser'

/** Milliseconds for which the token of a page that is left open can be sent. */
export const tokenLifetime = 24 * 60 * 60 * 1000
/** Milliseconds by which the clocks of two servers may differ. */
const clockTolerance = 60_000

const signed = (issued: string, browser: string) => `${issued} ${browser}`

/** Returns a token for the forms of one page in one browser. */
export function issueFormToken(browser: string, now: number): string {
  const issued = `${now.toString(36)}.${randomToken()}`
  return `${issued}.${keyedHash('forms', signed(issued, browser))}`
}

/** Why a token sends no form: it has another form, is too old, is from the future, or was issued to another browser. */
export type TokenFault = 'malformed' | 'old' | 'early' | 'foreign'

/** Returns why a token doesn't let a browser send a form; null if it does. */
export function tokenFault(token: string, browser: string, now: number): TokenFault | null {
  const [time = '', random = '', hash = '', ...rest] = token.split('.')
  if (rest.length > 0 || !hash || !/^[0-9a-z]{1,11}$/.test(time)) return 'malformed'
  if (!isKeyedHash('forms', signed(`${time}.${random}`, browser), hash)) return 'foreign'
  const age = now - Number.parseInt(time, 36)
  if (age < -clockTolerance) return 'early'
  return age > tokenLifetime ? 'old' : null
}
