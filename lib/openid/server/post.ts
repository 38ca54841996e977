import type { IncomingMessage } from 'node:http'
import { readForm } from './form'

/** Paths that accept a form as well as an address (OpenID Connect Core 3.1.2.1, RP-Initiated Logout 2). */
const formPaths = new Set(['/oidc/auth', '/oidc/session/end'])
/** The most bytes of such a form, because an address must hold them. */
const maxBytes = 8 * 1024

/**
 * Returns the address with the parameters of a posted form, or null for another request. A browser that is redirected
 * there sends its cookies, which it withholds from forms of other sites. Throws InvalidRequest for a body that is no
 * form, or too long.
 */
export async function addressOfForm(req: IncomingMessage): Promise<string | null> {
  const path = (req.url ?? '').split('?', 1)[0] ?? ''
  if (req.method !== 'POST' || !formPaths.has(path)) return null
  return `${path}?${await readForm(req, maxBytes)}`
}
