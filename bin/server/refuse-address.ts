import type { IncomingMessage, ServerResponse } from 'node:http'
import { createTranslator } from 'next-intl'
import { chooseLocale, type TextLocale, textLocales } from '@/lib/base/i18n/choose-locale'
import { loadMessages, shippedMessages, wordLocale } from '@/lib/base/i18n/messages'
import { describe } from '@/lib/openid/server/descriptions'
import { readCookies } from '@/lib/request/cookies'
import { domainByHost } from '@/lib/site/domains/service'
import { standalonePage } from '@/lib/site/domains/standalone-page'
import type { RouteClass } from './inbound'

type Reason = 'denied' | 'unavailable'

/** The page needs no other file, because a denied address gets no style, script or picture either. */
const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"

const plain = { styleTemplate: 'default', imageCode: 'default', locales: [...textLocales] as string[] }

async function page({ headers }: IncomingMessage, reason: Reason, ip: string): Promise<string> {
  // while the store is unavailable the domain can't be read either
  const domain = reason === 'denied' ? await domainByHost(headers.host ?? '').catch(() => plain) : plain
  const cookie = readCookies(headers.cookie ?? null)
  const chosen = chooseLocale({
    cookie: cookie('locale'),
    chosen: null,
    acceptLanguage: headers['accept-language'] ?? null,
    enabled: domain.locales,
  })
  // while the store is unavailable its texts can't be read either
  const locale = (reason === 'denied' ? await wordLocale(chosen) : chosen) as TextLocale
  const messages = reason === 'denied' ? await loadMessages(locale) : await shippedMessages(locale)
  const t = createTranslator({ locale, messages, namespace: 'refusal' })
  const words =
    reason === 'denied'
      ? { title: t('denied.title'), text: t('denied.text', { ip }) }
      : { title: t('unavailable.title'), text: t('unavailable.text') }
  return standalonePage({ ...words, locale, theme: cookie('theme'), domain, actions: '' })
}

/** In the format of the provider or of REST. */
function body(kind: RouteClass, reason: Reason, requestId: string): object | null {
  if (kind === 'oidc') {
    const error = reason === 'denied' ? 'access_denied' : 'temporarily_unavailable'
    return { error, error_description: reason === 'denied' ? 'this network address is not admitted' : describe(error) }
  }
  if (kind !== 'api') return null
  const code = reason === 'denied' ? 'addressDenied' : 'unavailable'
  return { code, message: code, requestId, data: {} }
}

type Refused = { kind: RouteClass; reason: Reason; requestId: string; ip: string }

/** Answers 403 to a denied address, 503 while the lists can't be read: a page for people, a body for programs. */
export async function refuseAddress(
  req: IncomingMessage,
  res: ServerResponse,
  { kind, reason, requestId, ip }: Refused,
) {
  const asked = /\btext\/html\b/.test(req.headers.accept ?? '')
  const headers: Record<string, string> = {
    'cache-control': 'no-store',
    'content-security-policy': pagePolicy,
    ...(reason === 'unavailable' ? { 'retry-after': '2' } : {}),
  }
  const status = reason === 'denied' ? 403 : 503
  const json = kind === 'oidc' && asked ? null : body(kind, reason, requestId)
  if (json) {
    res.writeHead(status, { ...headers, 'content-type': 'application/json; charset=utf-8' })
    res.end(JSON.stringify(json))
  } else if (kind === 'page' || kind === 'oidc') {
    const html = await page(req, reason, ip)
    res.writeHead(status, { ...headers, 'content-type': 'text/html; charset=utf-8' })
    res.end(html)
  } else {
    res.writeHead(status, { ...headers, 'content-type': 'text/plain; charset=utf-8' })
    res.end(status === 403 ? 'Forbidden' : 'Service Unavailable')
  }
}
