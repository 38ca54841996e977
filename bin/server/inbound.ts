import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { formsAt } from '@/lib/request/forms/pages'
import { restMethods } from '@/lib/request/rest-registry'
import { tidyRouterHeaders } from './router-headers'

export type RouteClass = 'page' | 'api' | 'asset' | 'style' | 'oidc' | 'service' | 'refused'
export type Refusal = { status: 400 | 404 | 405; allow?: string }

/** Where clients look for discovery: under the provider's path, and at the root, which redirects there. */
const discoveries = new Set([
  '/.well-known/oauth-authorization-server/oidc',
  '/.well-known/openid-configuration/oidc',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
])

/** Returns the kind of an address, for metrics and for deciding how to handle it. */
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

/** Returns a target without the slash at the end of an address of the REST API, which some clients write. */
export const withoutLastSlash = (target: string) => target.replace(/^(\/api\/[^?#]*[^/?#])\/(?=[?#]|$)/, '$1')

/** Addresses of health checks, which are open to every client address. */
export const isHealth = (path: string) => path.startsWith('/health/')

/** Only the end of X-Forwarded-For is read, which the nearest proxies wrote. */
export const nearest = (forwardedFor: string) => forwardedFor.split(',').slice(-32).join(',')

const host = /^(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i
// characters that some programs read as a separator and others don't
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
  if (kind === 'page' && formsAt(path)) return [...reading, 'POST']
  // Next's other addresses, such as /_next/image, serve nothing here, and would keep and convert anything
  if (kind === 'asset' && !dev && !path.startsWith('/_next/static/')) return []
  return dev && kind === 'asset' ? [...reading, 'POST'] : reading
}

/**
 * Returns whether a request is refused before any other code reads it: a target that isn't a path, an ambiguous
 * encoding, an invalid Host or several, an unknown method or address of the REST API, an address of Next that pages don't
 * use, or a write to a page (there are no server actions).
 */
export function refusalOf(
  { url = '', method = '', headers, rawHeaders = [] }: IncomingMessage,
  dev: boolean,
): Refusal | undefined {
  const path = pathOf(url)
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  // a proxy may have read another one than Node does
  if (!isPlainPath(path) || !host.test(headers.host ?? '') || hosts.length > 1) return { status: 400 }
  const kind = routeClass(path)
  // the provider checks the methods of its addresses itself, and refuses others in OAuth's format
  if (kind === 'oidc') return undefined
  const methods = methodsOf(kind, path, dev)
  if (methods.length === 0) return { status: 404 }
  return methods.includes(method) ? undefined : { status: 405, allow: methods.join(', ') }
}

// headers that the server process or Next writes, or that some code trusts
const dropped =
  /^(?:x-platform-.*|x-middleware-.*|x-nonce|x-forwarded-.*|forwarded|x-real-ip|x-matched-path|x-now-.*|x-nextjs-data|x-next-resume.*|next-resume|next-action|x-invoke-.*|x-vercel-.*|x-prerender-.*|content-security-policy|content-security-policy-report-only)$/

/** Removes headers that only the platform may write or that Next can't read. Returns the original X-Forwarded-For. */
export function cleanse(headers: IncomingHttpHeaders): string | undefined {
  const forwardedFor = headers['x-forwarded-for']
  for (const name of Object.keys(headers)) if (dropped.test(name)) delete headers[name]
  tidyRouterHeaders(headers)
  return Array.isArray(forwardedFor) ? forwardedFor.join(',') : forwardedFor
}

const guid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/** Returns a path for the log, without the GUID of a link, because it gives access to an account. */
export const loggable = (target: string) => pathOf(target).slice(0, 500).replace(guid, '{id}')
