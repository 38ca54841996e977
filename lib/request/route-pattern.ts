import { screenAt } from '@/lib/base/navigation/screens'
import { restPattern } from './rest-registry'

/** Addresses of the OpenID Provider, by their first part. */
const providerParts = new Set([
  'auth',
  'token',
  'userinfo',
  'introspect',
  'revoke',
  'jwks',
  'session',
  'device',
  'request',
  'par',
  '.well-known',
])

/**
 * Returns the pattern of an address for the metrics: `/platform/setting/users/{id}`. Only patterns that the platform
 * knows are returned, so that no client makes new values; else the kind of the address (docs/rules/operations.md#metrics).
 */
export function routePattern(path: string, kind: string): string {
  if (kind === 'api') return restPattern(path) ?? 'api'
  if (kind === 'page') return screenAt(path)?.path ?? 'page'
  if (kind !== 'oidc') return kind
  const [, first, part = ''] = path.split('/')
  return first === 'oidc' && providerParts.has(part) ? `/oidc/${part}` : 'oidc'
}
