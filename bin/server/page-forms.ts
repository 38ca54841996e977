import type { IncomingMessage, ServerResponse } from 'node:http'
import { randomToken } from '@/lib/base/crypto/encryption'
import { browserCookie, issueFormToken } from '@/lib/base/http/form-token'
import { cookieJar } from '@/lib/request/cookies'
import { formTokenHeader, pathHeader } from '@/lib/request/page-headers'

/** Adds cookies when the answer starts: Next replaces those that were set before. */
function addCookies(res: ServerResponse, lines: string[]) {
  const { writeHead } = res
  res.writeHead = ((...given: Parameters<typeof writeHead>) => {
    res.writeHead = writeHead
    for (const line of lines) res.appendHeader('set-cookie', line)
    return res.writeHead(...given)
  }) as typeof writeHead
}

/**
 * Gives a page the token of its forms, and the browser the cookie to which its tokens are bound. `address` is where a
 * person comes back to the page; empty if it answers a form, so that it has no address. Returns the token.
 */
export function giveFormToken(req: IncomingMessage, res: ServerResponse, address: string): string {
  const jar = cookieJar(req.headers.cookie ?? null)
  const existing = jar.cookies.get(browserCookie)
  const browser = existing || randomToken()
  if (!existing) jar.cookies.set(browserCookie, browser)
  const token = issueFormToken(browser, Date.now())
  req.headers[formTokenHeader] = token
  // Next's client adds `_rsc` when it asks for a part of a page
  const isPart = req.headers.rsc !== undefined
  req.headers[pathHeader] = isPart
    ? address.replace(/([?&])_rsc=[^&]*(&|$)/, (_, before, after) => (after ? before : ''))
    : address
  if (!existing) addCookies(res, jar.headers())
  return token
}
