import type { Ctx } from '@/lib/base/context/ctx'
import { randomToken } from '@/lib/base/crypto/encryption'
import { browserCookie, issueFormToken, onceOf, takeFormToken, tokenFault } from '@/lib/base/http/form-token'

/**
 * Returns a challenge for a signature by a passkey in this browser: a token like those of its forms, so that the page of
 * a form needs no other one. It works once, for a day (Web Authentication, section 13.4.3).
 */
export function newChallenge(ctx: Ctx): string {
  const existing = ctx.cookies.get(browserCookie)
  const browser = existing || randomToken()
  if (!existing) ctx.cookies.set(browserCookie, browser)
  return issueFormToken(browser, ctx.now().getTime())
}

/** Returns whether a challenge was issued to this browser and isn't too old. */
export const isChallengeOf = (ctx: Ctx, challenge: string): boolean =>
  tokenFault(challenge, ctx.cookies.get(browserCookie) ?? '', ctx.now().getTime()) === null

/** Uses a challenge up. Returns false if it was used before. */
export const takeChallenge = (challenge: string): Promise<boolean> => takeFormToken(onceOf('passkey', challenge))
