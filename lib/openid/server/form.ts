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
