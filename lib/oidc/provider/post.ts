import type { IncomingMessage } from 'node:http'
import { errors } from 'oidc-provider'

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
  if (!/^application\/x-www-form-urlencoded\b/i.test(req.headers['content-type'] ?? ''))
    throw new errors.InvalidRequest('a form was expected')
  let form = ''
  for await (const chunk of req) {
    form += chunk
    if (form.length > longest) throw new errors.InvalidRequest('the form is too long')
  }
  return `${path}?${new URLSearchParams(form)}`
}
