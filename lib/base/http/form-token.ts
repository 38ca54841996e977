import { digest, isKeyedHash, keyedHash, randomToken } from '@/lib/base/crypto/encryption'
import { redis } from '@/lib/base/redis/redis'
import { log } from '@/lib/base/runtime/log'

/** The cookie of a browser to which the tokens of its forms are bound. */
export const browserCookie = 'browser'

/** Milliseconds for which the token of a page that is left open can be sent. */
const lifetime = 24 * 60 * 60 * 1000
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

/** Returns why a token of at most this age doesn't let a browser send a form; null if it does. */
export function tokenFault(token: string, browser: string, now: number, oldest = lifetime): TokenFault | null {
  // in another form, a token and a cookie could be divided into others
  const [, time = '', random = '', hash = ''] = /^([0-9a-z]{1,11})\.([\w-]{43})\.([\w-]{43})$/.exec(token) ?? []
  if (!hash) return 'malformed'
  if (!isKeyedHash('forms', signed(`${time}.${random}`, browser), hash)) return 'foreign'
  const age = now - Number.parseInt(time, 36)
  if (age < -clockTolerance) return 'early'
  return age > oldest ? 'old' : null
}

/** Digests of tokens that were sent while Redis was away, the oldest first, and the most that are remembered. */
const sentMeanwhile = new Set<string>()
const mostMeanwhile = 100_000

/** Returns what a form is sent with once: the page with these forms, and what is random in a valid token. */
export const onceOf = (path: string, token: string): string => digest(`${path} ${token.split('.')[1]}`)

/** Returns whether a form is sent for the first time, and remembers it. Takes what `onceOf` returns. */
export async function takeFormToken(once: string): Promise<boolean> {
  if (sentMeanwhile.has(once)) return false
  try {
    return (await redis().set(`form:${once}`, '1', 'PX', lifetime, 'NX')) === 'OK'
  } catch (error) {
    log.debug({ err: error }, 'a form token is remembered by this process only')
    if (sentMeanwhile.has(once)) return false
    const [oldest] = sentMeanwhile
    if (oldest && sentMeanwhile.size >= mostMeanwhile) sentMeanwhile.delete(oldest)
    sentMeanwhile.add(once)
    return true
  }
}
