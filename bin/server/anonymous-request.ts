import type { IncomingMessage } from 'node:http'
import { isBot } from 'next/dist/shared/lib/router/utils/is-bot.js'
import { browserCookie } from '@/lib/base/http/form-token'
import { screens } from '@/lib/base/navigation/screens'
import { buildContext } from '@/lib/request/build'
import { cookieName, readCookies } from '@/lib/request/cookies'

/** All that the pages below read of a request without a session. */
export type Visit = {
  path: string
  domainId: string
  /** The host of the domain's own address. */
  host: string
  locale: string
  timeZone: string
  deviceType: string
  theme: 'light' | 'dark' | null
  cookieConsent: boolean
}

/** What is read of a request; its headers must be cleansed. */
type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

/** The public pages without parameters; 404 and 403 aren't what their visitors asked for. */
const paths = new Set(
  screens
    .filter(({ public: isPublic, layout, path }) => isPublic && layout !== 'NoAccess' && !path.includes('{'))
    .map(({ path }) => path),
)

/** Cookies of a visitor: those that pages read, and those that only calls read. */
const cookies = ['locale', 'theme', 'timeZone', 'cookieConsent', 'deviceType', 'chosenLocale', 'device', browserCookie]

/** Headers by which Next answers something else than a whole page, and those of a body. */
const otherAnswer =
  /^(?:rsc|next-.*|x-next.*|purpose|x-purpose|sec-purpose|authorization|content-(?:length|type|encoding)|transfer-encoding)$/

const pair = /^([\w-]+)=((?:[\w.~+/:-]|%[\da-f]{2})*)$/i

/** Returns whether a Cookie header has only these names, each once, with values that all parsers read alike. */
function isPlain(header: string): boolean {
  const free = new Set(cookies.map(cookieName))
  // each name counts once
  return header.split('; ').every((text) => free.delete(pair.exec(text)?.[1] ?? ''))
}

/** A user agent of each shipped type of device. */
const desktop = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const agents = new Map([
  ['desktop', desktop],
  [
    'mobile',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  ],
  [
    'tablet',
    'Mozilla/5.0 (iPad; CPU OS 16_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.0 Mobile/15E148 Safari/604.1',
  ],
])

async function visitOf(path: string, headers: Headers): Promise<Visit> {
  const cookie = readCookies(headers.get('cookie'))
  const { ctx, cookieConsent } = await buildContext(headers, { get: cookie, set() {} })
  const { domain, locale, timeZone, deviceType } = ctx
  const theme = cookie('theme')
  return {
    path,
    domainId: domain.id,
    host: new URL(domain.origin).host,
    locale,
    timeZone,
    deviceType,
    theme: theme === 'light' || theme === 'dark' ? theme : null,
    cookieConsent,
  }
}

/**
 * Returns the visit of a request for a whole public page by somebody who isn't signed in and has begun nothing; null for
 * any other request, and for one that two programs could read differently.
 */
export async function anonymousVisit({ method, url = '', headers }: Asked): Promise<Visit | null> {
  if ((method !== 'GET' && method !== 'HEAD') || !paths.has(url)) return null
  if (headers.cookie !== undefined && !isPlain(headers.cookie)) return null
  if (isBot(headers['user-agent'] ?? '') || Object.keys(headers).some((name) => otherAnswer.test(name))) return null
  const read = new Headers()
  for (const name of ['host', 'cookie', 'user-agent', 'accept-language'] as const)
    if (headers[name] !== undefined) read.set(name, headers[name])
  return visitOf(url, read)
}

/** Returns the headers of a request with this visit and nothing else of a visitor. */
export function headersOf({ host, locale, timeZone, deviceType, theme, cookieConsent }: Visit): Record<string, string> {
  const cookies = {
    locale,
    timeZone,
    ...(theme ? { theme } : {}),
    ...(cookieConsent ? { cookieConsent: '1' } : {}),
    ...(agents.has(deviceType) ? {} : { deviceType }),
  }
  return {
    host,
    accept: 'text/html',
    'user-agent': agents.get(deviceType) ?? desktop,
    cookie: Object.entries(cookies)
      .map(([name, value]) => `${cookieName(name)}=${encodeURIComponent(value)}`)
      .join('; '),
  }
}

/** Returns whether the pages read the visit back from its own headers: not if two domains have one host, for example. */
export const isExact = async (visit: Visit): Promise<boolean> =>
  JSON.stringify(await visitOf(visit.path, new Headers(headersOf(visit)))) === JSON.stringify(visit)
