import type { IncomingMessage } from 'node:http'
import { errors } from 'oidc-provider'

/** Returns the fields of a posted form. Throws InvalidRequest for anything else, and for more than `limit` bytes. */
export async function readForm(req: IncomingMessage, limit = 4096): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(req.headers['content-type'] ?? ''))
    throw new errors.InvalidRequest('a form is expected')
  let text = ''
  for await (const chunk of req) {
    text += chunk
    if (text.length > limit) throw new errors.InvalidRequest('the form is too large')
  }
  return new URLSearchParams(text)
}

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
