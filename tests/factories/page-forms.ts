import { randomToken } from '@/lib/base/crypto/encryption'
import { browserCookie, issueFormToken } from '@/lib/base/http/form-token'
import { cookieName, readCookies } from '@/lib/request/cookies'
import { answerForm } from '@/lib/request/forms/answer'
import { type Outcome, readOutcome } from '@/lib/request/forms/outcome'
import type { Browser } from './browser'

type Posted = {
  /** By default the token of a page that this browser has just opened. */
  token?: string
  /** Headers in place of a browser's; null leaves one out. */
  headers?: Record<string, string | null>
}

/** Returns a token as a page that this browser opens has it, and gives the browser its cookie. */
export function openPage(browser: Browser, now = Date.now()): string {
  const name = cookieName(browserCookie)
  const owner = browser.cookies.get(name) ?? randomToken()
  browser.cookies.set(name, owner)
  return issueFormToken(owner, now)
}

/** Posts a form to the address of its page, as a browser does. Returns the answer and what the next page says of it. */
export async function post(
  browser: Browser,
  address: string,
  fields: Record<string, string | string[]>,
  { token = openPage(browser), headers = {} }: Posted = {},
): Promise<{ status: number; to: string; outcome: Outcome | null }> {
  const body = new URLSearchParams({ token })
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, one)
  const { host, cookie, userAgent, ip } = browser
  const sent = {
    host,
    cookie,
    'user-agent': userAgent,
    'x-platform-ip': ip,
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
    ...headers,
  }
  const present = Object.entries(sent).filter((header): header is [string, string] => header[1] !== null)
  const request = new Request(`http://${host}${address}`, { method: 'POST', headers: present, body })
  const response = await answerForm(request)
  browser.keep(response.headers.getSetCookie())
  // a page that leads elsewhere
  const [, refresh = ''] = /http-equiv="refresh" content="0;url=([^"]*)"/.exec(await response.text()) ?? []
  const to = response.headers.get('location') ?? refresh
  const outcome = readOutcome({ get: readCookies(browser.cookie) }, to)
  return { status: response.status, to, outcome }
}
