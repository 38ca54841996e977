import { screenAt } from '@/lib/base/navigation/screens'
import { restPattern } from './rest-registry'

/** The first path segments of the OpenID Provider's addresses. */
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
 * Returns the pattern of an address for the metrics: `/platform/setting/users/{id}`. For an address that the platform
 * doesn't know it returns the kind of address, so that clients can't create new values
 * (docs/rules/operations.md#metrics).
 */
export function routePattern(path: string, kind: string): string {
  if (kind === 'api') return restPattern(path) ?? 'api'
  if (kind === 'page') return screenAt(path)?.path ?? 'page'
  if (kind !== 'oidc') return kind
  const [, first, part = ''] = path.split('/')
  return first === 'oidc' && providerParts.has(part) ? `/oidc/${part}` : 'oidc'
}
