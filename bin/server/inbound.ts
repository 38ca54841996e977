import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { restMethods } from '@/lib/context/rest-methods'
import { tidyRouterHeaders } from './router-headers'

export type RouteClass = 'page' | 'api' | 'asset' | 'style' | 'oidc' | 'service' | 'refused'
export type Refusal = { status: 400 | 404 | 405; allow?: string }

/** Where clients look for the provider's discovery: under its own path, which is served, and at the root, which leads there. */
const discoveries = new Set([
  '/.well-known/oauth-authorization-server/oidc',
  '/.well-known/openid-configuration/oidc',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
])

/** What kind of address it is, for metrics and for deciding what it needs. */
export function routeClass(path: string): RouteClass {
  if (path.startsWith('/_next/') || path.startsWith('/__nextjs')) return 'asset'
  if (path === '/api' || path.startsWith('/api/')) return 'api'
  if (path === '/oidc' || path.startsWith('/oidc/') || path.startsWith('/platform/interaction/')) return 'oidc'
  if (discoveries.has(path)) return 'oidc'
  if (path.startsWith('/style/')) return 'style'
  if (path.startsWith('/health/') || path === '/metrics') return 'service'
  return 'page'
}

export const pathOf = (target: string) => target.split('?', 1)[0] ?? target

/** Health checks, which everybody may ask. */
export const isHealth = (path: string) => path.startsWith('/health/')

/** The end of X-Forwarded-For, which is nearest to us: as much of it as anybody reads. */
export const nearest = (forwardedFor: string) => forwardedFor.split(',').slice(-32).join(',')

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

const reading = ['GET', 'HEAD']

function methodsOf(kind: RouteClass, path: string, dev: boolean): readonly string[] {
  if (kind === 'api') return restMethods(path)
  return dev && kind === 'asset' ? [...reading, 'POST'] : reading
}

/**
 * Whether a request is refused before anything reads it: another form of target than a path, an encoding that two
 * readers could take differently, a Host that is none, a method or an address of the REST surface that isn't there, a
 * write to a page (there are no server actions).
 */
export function refusalOf({ url = '', method = '', headers }: IncomingMessage, dev: boolean): Refusal | undefined {
  const path = pathOf(url)
  if (!isPlainPath(path) || !host.test(headers.host ?? '')) return { status: 400 }
  const kind = routeClass(path)
  // the provider knows the methods of its addresses, and refuses others in OAuth's form
  if (kind === 'oidc') return undefined
  const methods = methodsOf(kind, path, dev)
  if (methods.length === 0) return { status: 404 }
  return methods.includes(method) ? undefined : { status: 405, allow: methods.join(', ') }
}

// written by the server process, by Next for itself, or believed by somebody in the chain
const dropped =
  /^(?:x-platform-.*|x-middleware-.*|x-nonce|x-forwarded-.*|forwarded|x-real-ip|x-matched-path|x-now-.*|x-nextjs-data|x-next-resume.*|next-resume|next-action|x-invoke-.*|x-vercel-.*|x-prerender-.*|content-security-policy|content-security-policy-report-only)$/

/** Takes out every header that only our own side may write, or that Next can't read. Gives the X-Forwarded-For that was there. */
export function cleanse(headers: IncomingHttpHeaders): string | undefined {
  const forwardedFor = headers['x-forwarded-for']
  for (const name of Object.keys(headers)) if (dropped.test(name)) delete headers[name]
  tidyRouterHeaders(headers)
  return Array.isArray(forwardedFor) ? forwardedFor.join(',') : forwardedFor
}

const guid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/** Whether an address holds the GUID of a link, which is a key: nobody else may hear of it. */
export const isKeyed = (target: string) => target.search(guid) >= 0

/** A path as it may stand in a log: the GUID of a link opens an account. */
export const loggable = (target: string) => pathOf(target).slice(0, 500).replace(guid, '{id}')
