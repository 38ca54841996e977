import type { IncomingMessage } from 'node:http'
import { errors } from 'oidc-provider'

const limit = 4096

/** The fields of a form sent by a page of ours. Throws InvalidRequest for anything else, and for more than 4 KB. */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  if (!req.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    throw new errors.InvalidRequest('a form is expected')
  let text = ''
  for await (const chunk of req) {
    text += chunk
    if (text.length > limit) throw new errors.InvalidRequest('the form is too large')
  }
  return new URLSearchParams(text)
}
