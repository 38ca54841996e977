import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import { createRequestResponseMocks } from 'next/dist/server/lib/mock-request.js'
import { derive } from '@/lib/base/cache/cache'
import { toAppError } from '@/lib/base/http/failure'
import { formTokenHeader, pathHeader, plainHeader } from '@/lib/request/page-headers'
import { during } from '../last-words'
import { anonymousVisit, headersOf, isExact, type Visit } from './anonymous-request'
import { newPlaceholders, type Slots, type Template, templateOf } from './page-template'
import type { SecurityHeaders } from './security-headers'
import { withoutClient } from './without-client'

type ByNext = (req: IncomingMessage, res: ServerResponse) => Promise<void>
/** A page as Next has rendered it. A header may have the nonce too. */
type Page = { template: Template; headers: [string, string][]; placeholders: Slots }
/** `page` is null if each visitor gets it from Next. */
type Rendered = { page: Page | null; isCurrent: () => boolean }
type Entry = { rendering: Promise<Rendered>; startedAt: number; bytes: number; rendered?: Rendered }

/** The most bytes of the pages of a process, and what an entry takes beside its page. */
const [limit, overhead] = [32 * 1024 ** 2, 2_048]
/** Milliseconds for which others wait for a page that is being rendered, and for which a page is left to Next. */
const [longestWait, leftToNext] = [10_000, 30_000]

/** Headers that belong to one answer, or to one way of sending it. */
const ofAnswer = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-request-id',
])

const takesGzip = ({ headers }: IncomingMessage) =>
  String(headers['accept-encoding'] ?? '')
    .split(',')
    .some((part) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)[\d.]+\s*)?$/i.test(part))

function send(req: IncomingMessage, res: ServerResponse, { template, headers, placeholders }: Page, slots: Slots) {
  for (const [name, value] of headers) res.setHeader(name, value.replaceAll(placeholders.nonce, slots.nonce))
  res.appendHeader('vary', 'Accept-Encoding')
  const zips = takesGzip(req)
  if (zips) res.setHeader('content-encoding', 'gzip')
  const body = zips ? template.fillZipped(slots) : template.fill(slots)
  res.setHeader('content-length', body.length)
  res.writeHead(200)
  res.end(req.method === 'HEAD' ? undefined : body)
}

/**
 * Returns the function that answers requests of anonymous visitors for public pages (ADR 111). Next renders such a page
 * once for everybody whose visit is the same, from a request that has nothing else of them; each answer gets its own
 * nonce and token. A page is rendered again as soon as something that it was made of is read again. The function returns
 * false if Next must answer; it throws what an unavailable store throws.
 */
export function createPageCache(byNext: ByNext, { policy }: SecurityHeaders) {
  // least recently asked for first
  const pages = new Map<string, Entry>()
  let bytes = 0

  function drop(key: string) {
    bytes -= pages.get(key)?.bytes ?? 0
    pages.delete(key)
  }

  function store(key: string, entry: Entry) {
    drop(key)
    pages.set(key, entry)
    bytes += entry.bytes
    for (const oldest of pages.keys()) {
      if (bytes <= limit) return
      drop(oldest)
    }
  }

  async function render(visit: Visit, requestId: string): Promise<Page | null> {
    if (!(await isExact(visit))) return null
    const placeholders = newPlaceholders()
    const chunks: Uint8Array[] = []
    const { req, res } = createRequestResponseMocks({
      url: visit.path,
      headers: {
        ...headersOf(visit),
        'content-security-policy': policy(placeholders.nonce),
        [formTokenHeader]: placeholders.token,
        [pathHeader]: visit.path,
        [plainHeader]: '1',
      },
      resWriter: (chunk) => chunks.push(Buffer.from(chunk)) > 0,
    })
    let outage: unknown
    const printed = (error: unknown) => {
      if (toAppError(error).status === 503) outage = error
    }
    const rendering = during({ requestId, printed }, () => byNext(req as never, res as never))
    await Promise.all([rendering, finished(res)])
    if (res.statusCode === 500 && outage) throw outage
    if (res.statusCode !== 200 || res.hasHeader('set-cookie')) return null
    const headers = Object.entries(res.getHeaders()).map(([name, value]): [string, string] => [name, String(value)])
    return {
      template: await templateOf(withoutClient(Buffer.concat(chunks).toString('utf8')), placeholders),
      headers: headers.filter(([name]) => !ofAnswer.has(name)),
      placeholders,
    }
  }

  /** Renders a page and returns it, also if it is for this visitor only. */
  async function renderAnew(key: string, visit: Visit, requestId: string): Promise<Page | null> {
    const startedAt = performance.now()
    const deriving = derive(() => render(visit, requestId))
    const rendering = deriving.then(({ value, isCurrent, readsStores }) =>
      value && readsStores
        ? { page: null, isCurrent: () => performance.now() < startedAt + leftToNext }
        : { page: value, isCurrent },
    )
    const entry: Entry = { rendering, startedAt, bytes: overhead }
    store(key, entry)
    try {
      entry.rendered = await rendering
      if (pages.get(key) === entry) {
        drop(key)
        entry.bytes += entry.rendered.page?.template.bytes ?? 0
        store(key, entry)
      }
      return (await deriving).value
    } catch (error) {
      if (pages.get(key) === entry) drop(key)
      throw error
    }
  }

  async function pageFor(visit: Visit, requestId: string): Promise<Page | null> {
    const key = JSON.stringify(visit)
    const entry = pages.get(key)
    if (!entry || (!entry.rendered && performance.now() > entry.startedAt + longestWait))
      return renderAnew(key, visit, requestId)
    if (entry.rendered && !entry.rendered.isCurrent()) return renderAnew(key, visit, requestId)
    store(key, entry)
    const { page, isCurrent } = entry.rendered ?? (await entry.rendering)
    // what changed while the page was rendered may have changed before this request
    return isCurrent() ? page : null
  }

  return async (req: IncomingMessage, res: ServerResponse, slots: Slots, requestId: string): Promise<boolean> => {
    const visit = await anonymousVisit(req)
    const page = visit && (await pageFor(visit, requestId))
    if (page) send(req, res, page, slots)
    return Boolean(page)
  }
}
