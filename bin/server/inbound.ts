import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

export type RouteClass = 'page' | 'api' | 'asset' | 'style' | 'oidc' | 'service' | 'refused'
export type Refusal = { status: 400 | 405; allow?: string }

/** What kind of address it is, for metrics and for deciding what it needs. */
export function routeClass(path: string): RouteClass {
  if (path.startsWith('/_next/') || path.startsWith('/__nextjs')) return 'asset'
  if (path.startsWith('/api/')) return 'api'
  if (path === '/oidc' || path.startsWith('/oidc/') || path.startsWith('/platform/interaction/')) return 'oidc'
  if (path === '/.well-known/oauth-authorization-server/oidc') return 'oidc'
  if (path.startsWith('/style/')) return 'style'
  if (path.startsWith('/health/') || path === '/metrics') return 'service'
  return 'page'
}

export const pathOf = (target: string) => target.split('?', 1)[0] ?? target

const host = /^(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i
// what one part of the chain reads as a separator and the next one doesn't
const ambiguous = /%(?:2f|5c|00)|[\\\0]|\/\//i

function isPlainPath(path: string): boolean {
  if (!path.startsWith('/') || ambiguous.test(path)) return false
  try {
    return !decodeURIComponent(path)
      .split('/')
      .some((segment) => segment === '.' || segment === '..')
  } catch {
    return false
  }
}

/**
 * Whether a request is refused before anything reads it: another form of target than a path, an encoding that two
 * readers could take differently, a Host that is none, a write to a page (there are no server actions).
 */
export function refusalOf({ url = '', method = '', headers }: IncomingMessage, dev: boolean): Refusal | undefined {
  const path = pathOf(url)
  if (!isPlainPath(path) || !host.test(headers.host ?? '')) return { status: 400 }
  const kind = routeClass(path)
  const reading = method === 'GET' || method === 'HEAD'
  const writable = kind === 'api' || kind === 'oidc' || (dev && kind === 'asset')
  if (!reading && !writable) return { status: 405, allow: 'GET, HEAD' }
  return undefined
}

// written by the server process, by Next for itself, or believed by somebody in the chain
const dropped =
  /^(?:x-platform-.*|x-middleware-.*|x-nonce|x-forwarded-.*|forwarded|x-real-ip|x-matched-path|x-now-.*|x-nextjs-data|x-next-resume.*|next-resume|next-action|x-invoke-.*|x-vercel-.*|x-prerender-.*|content-security-policy|content-security-policy-report-only)$/

/** Takes out every header that only our own side may write. Gives the X-Forwarded-For that was there. */
export function cleanse(headers: IncomingHttpHeaders): string | undefined {
  const forwardedFor = headers['x-forwarded-for']
  for (const name of Object.keys(headers)) if (dropped.test(name)) delete headers[name]
  return Array.isArray(forwardedFor) ? forwardedFor.join(',') : forwardedFor
}

const guid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/** Whether an address holds the GUID of a link, which is a key: nobody else may hear of it. */
export const isKeyed = (target: string) => target.search(guid) >= 0

/** A path as it may stand in a log: the GUID of a link opens an account. */
export const loggable = (target: string) => pathOf(target).slice(0, 500).replace(guid, '{id}')
