import type { Ctx } from '@/lib/base/context/ctx'
import { digest, randomToken } from '@/lib/base/crypto/encryption'
import { browserCookie, issueFormToken, onceOf, takeFormToken, tokenFault } from '@/lib/base/http/form-token'

/**
 * Returns a challenge for a signature by a passkey in this browser: a token like those of its forms, so that the page of
 * a form needs no other one. It works once, for an hour (WebAuthn, section 13.4.3).
 */
export function newChallenge(ctx: Ctx): string {
  const existing = ctx.cookies.get(browserCookie)
  const browser = existing || randomToken()
  if (!existing) ctx.cookies.set(browserCookie, browser)
  return issueFormToken(browser, ctx.now().getTime())
}

/** Milliseconds for which a challenge works. The script of the page asks for nothing with an older one. */
const challengeAlive = 60 * 60_000

/** Returns whether a challenge was issued to this browser and isn't too old. */
export const isChallengeOf = (ctx: Ctx, challenge: string): boolean =>
  tokenFault(challenge, ctx.cookies.get(browserCookie) ?? '', ctx.now().getTime(), challengeAlive) === null

/** Uses up the challenge of a new passkey. Returns false if it was used before. */
export const takeNewChallenge = (challenge: string): Promise<boolean> =>
  takeFormToken(digest(`new passkey ${challenge}`))

/** Uses a challenge up. Returns false if it was used before. */
export const takeChallenge = (challenge: string): Promise<boolean> => takeFormToken(onceOf('passkey', challenge))
