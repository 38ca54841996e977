import type { IncomingMessage, ServerResponse } from 'node:http'
import { toAppError } from '@/lib/base/http/failure'
import { chooseLocale, textLocales } from '@/lib/base/i18n/choose-locale'
import { readCookies } from '@/lib/request/cookies'
import { escaped, standalonePage } from '@/lib/site/domains/standalone-page'
import en from '@/messages/en/outage.json'
import ru from '@/messages/ru/outage.json'

const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"
const retryAfter = '5'

/** A page that needs no store, because the unavailable store may hold the domain and its style. */
function page({ headers, url = '' }: IncomingMessage): string {
  const cookie = readCookies(headers.cookie ?? null)
  const acceptLanguage = headers['accept-language'] ?? null
  const locale = chooseLocale({ cookie: cookie('locale'), chosen: null, acceptLanguage, enabled: textLocales })
  const words = locale === 'en' ? en : ru
  const { title, text, retry } = words.outage
  return standalonePage({
    title,
    text,
    locale,
    theme: cookie('theme'),
    domain: { styleTemplate: 'default', imageCode: 'default' },
    actions: `<a href="${escaped(url)}">${escaped(retry)}</a>`,
  })
}

function bodyFor(req: IncomingMessage, requestId: string): { type: string; text: string } {
  if (req.url?.startsWith('/api/'))
    return {
      type: 'application/json; charset=utf-8',
      text: JSON.stringify({ code: 'unavailable', message: 'unavailable', requestId, data: {} }),
    }
  // if a script requests a part of a page, this makes the browser load the whole page, which then shows the outage
  const html = !req.headers.rsc && /\btext\/html\b|\*\/\*/.test(req.headers.accept ?? '*/*')
  return html
    ? { type: 'text/html; charset=utf-8', text: page(req) }
    : { type: 'text/plain; charset=utf-8', text: 'Service Unavailable' }
}

/** Answers 503 to a request whose store is unavailable, in place of the prepared answer. */
export function answerUnavailable(req: IncomingMessage, res: ServerResponse, requestId: string) {
  const { type, text } = bodyFor(req, requestId)
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'etag', 'link']) res.removeHeader(name)
  res.setHeader('content-type', type)
  res.setHeader('cache-control', 'no-store')
  res.setHeader('retry-after', retryAfter)
  if (type.startsWith('text/html')) res.setHeader('content-security-policy', policy)
  res.setHeader('content-length', Buffer.byteLength(text))
  res.writeHead(503)
  res.end(req.method === 'HEAD' ? undefined : text)
}

/**
 * If a page throws, Next answers 500 with a page that needs a script. Once `hear` was called with an outage, a 500 is
 * replaced by 503 and a page that needs no other file.
 */
export function outagesAs503(req: IncomingMessage, res: ServerResponse, requestId: string) {
  let away = false
  let replaced = false
  const { writeHead, write, end, flushHeaders } = res

  /** Returns whether our answer replaces that of Next; if so, sends it. */
  function standsIn(status: number): boolean {
    if (replaced || res.headersSent || !away || status !== 500) return replaced
    replaced = true
    Object.assign(res, { writeHead, write, end, flushHeaders })
    answerUnavailable(req, res, requestId)
    Object.assign(res, ours)
    return true
  }
  function swallow(given: unknown[]) {
    const done = given.find((each) => typeof each === 'function') as (() => void) | undefined
    if (done) process.nextTick(done)
  }
  const ours = {
    writeHead(...given: Parameters<typeof writeHead>) {
      return standsIn(given[0]) ? res : writeHead.apply(res, given)
    },
    write(...given: Parameters<typeof write>) {
      if (!standsIn(res.statusCode)) return write.apply(res, given)
      swallow(given)
      return true
    },
    end(...given: Parameters<typeof end>) {
      if (!standsIn(res.statusCode)) return end.apply(res, given)
      swallow(given)
      return res
    },
    flushHeaders() {
      if (!standsIn(res.statusCode)) flushHeaders.call(res)
    },
  }
  Object.assign(res, ours)
  return (error: unknown) => {
    if (toAppError(error).status === 503) away = true
  }
}
