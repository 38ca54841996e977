import type { IncomingMessage } from 'node:http'
import { readForm } from './form'

/** Where people may be sent by a form as well as by an address (OpenID Connect Core 3.1.2.1, RP-Initiated Logout 2). */
const places = new Set(['/oidc/auth', '/oidc/session/end'])
/** Bytes that an address can carry on. */
const longest = 8 * 1024

/**
 * The address that says what a posted form says, or null for another request: led there, a browser sends its
 * cookies, which it keeps back from forms of other sites. Throws InvalidRequest for what is no form, or too long.
 */
export async function addressOfForm(req: IncomingMessage): Promise<string | null> {
  const path = (req.url ?? '').split('?', 1)[0] ?? ''
  if (req.method !== 'POST' || !places.has(path)) return null
  return `${path}?${await readForm(req, longest)}`
}
