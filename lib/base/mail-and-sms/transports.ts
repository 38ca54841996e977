import { env } from '../runtime/env'
import { SendError } from './send-error'

export type OutgoingSms = { id: string; to: string; text: string }

const placeholder = /\{\{(to|text|id)\}\}/g

const xml = (value: string) => value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Returns the function that escapes a value for a body of this type. */
function writerFor(contentType: string): (value: string) => string {
  if (/x-www-form-urlencoded/i.test(contentType)) return encodeURIComponent
  if (/xml/i.test(contentType)) return xml
  // inside a JSON string, so without quotes
  return (value) => JSON.stringify(value).slice(1, -1)
}

/** Statuses that concern the gateway or our account there, not one message. */
const gatewayStatuses = new Set([401, 402, 403, 404, 405, 407, 408, 429])
const temporaryStatuses = new Set([408, 429])

/** Returns the beginning of an answer; answers of gateways are short. */
async function beginningOf(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length >= 8_192) break
  }
  return text.slice(0, 8_192)
}

/** Throws SendError unless the gateway accepted the message. */
async function requireAccepted(response: Response, accepted: RegExp | undefined) {
  const { status } = response
  const body = await beginningOf(response)
  if (status >= 300 && status < 400) throw new SendError(`the SMS gateway redirects (${status})`, { away: true })
  if (status >= 500) throw new SendError(`the SMS gateway failed (${status})`, { away: true })
  if (status >= 400)
    throw new SendError(`the SMS gateway refused (${status})`, {
      permanent: !temporaryStatuses.has(status),
      away: gatewayStatuses.has(status),
    })
  if (accepted && !accepted.test(body))
    throw new SendError(`the SMS gateway answered ${status}, but not what SMS_ACCEPTED asks for`)
}

/**
 * Sends an SMS by an HTTP gateway: `{{to}}`, `{{text}}` and `{{id}}` are filled into address and body. Without SMS_URL
 * it stays among the sent messages. Throws SendError.
 */
export async function sendOverGateway(sms: OutgoingSms) {
  const { SMS_URL, SMS_METHOD, SMS_HEADERS = {}, SMS_BODY = '{"to":"{{to}}","text":"{{text}}"}' } = env()
  const { SMS_ACCEPTED, SMS_TIMEOUT } = env()
  if (!SMS_URL) return
  const headers = new Headers({ 'content-type': 'application/json', ...SMS_HEADERS })
  // one pass, so that a text with a placeholder is not filled in again
  const fill = (template: string, write: (value: string) => string) =>
    template.replace(placeholder, (_, name: keyof OutgoingSms) => write(sms[name]))
  try {
    const response = await fetch(fill(SMS_URL, encodeURIComponent), {
      method: SMS_METHOD,
      headers,
      body: SMS_METHOD === 'GET' ? undefined : fill(SMS_BODY, writerFor(headers.get('content-type') ?? '')),
      redirect: 'manual',
      signal: AbortSignal.timeout(SMS_TIMEOUT * 1000),
    })
    await requireAccepted(response, SMS_ACCEPTED)
  } catch (error) {
    if (error instanceof SendError) throw error
    const { name, cause } = error as { name?: string; cause?: { code?: unknown } }
    if (name === 'TimeoutError') throw new SendError('the SMS gateway did not answer in time', { away: true })
    // the message of such an error may contain the address, and the address a key
    const code = typeof cause?.code === 'string' ? cause.code : 'no answer'
    throw new SendError(`the SMS gateway is away (${code})`, { away: true })
  }
}

/** Returns whether SMS can be sent: in production only with SMS_URL. */
export const smsReady = () => env().SMS_URL !== undefined || env().PLATFORM_MODE !== 'production'
