import { Webhook } from 'standardwebhooks'
import { AddressBlocked, AnswerTooLarge } from '@/lib/base/http/external-fetch'
import { maskSecrets, secretsOfAddress } from '@/lib/base/text/masks'
import { callExternal } from '@/lib/network/outgoing-calls/service'

/** Milliseconds that an answer may take. */
const longest = 15_000
/** The most bytes of an answer that are read, and the most characters that the log keeps. */
const read = 64 * 1024
const kept = 4_000
/** The longest that a receiver may ask to wait, in seconds: a webhook that fails for longer is disabled soon. */
const longestPause = 24 * 3_600

type WebhookFault =
  | 'webhookAddress'
  | 'webhookTimeout'
  | 'webhookConnection'
  | 'webhookRedirect'
  | 'webhookGone'
  | 'webhookAnswer'

type Message = { id: string; body: string }
type Target = { url: string; secrets: readonly string[] }
export type Sent = {
  httpStatus: number | null
  duration: number
  fault: WebhookFault | null
  response: string | null
  /** The seconds for which the receiver wants to hear nothing. */
  pause: number | null
}

/** Returns the headers of a message by Standard Webhooks: a signature for each valid secret. */
export const signedHeaders = ({ id, body }: Message, secrets: readonly string[], at: Date) => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
})

function faultOfStatus(status: number): WebhookFault | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return 'webhookRedirect'
  return status === 410 ? 'webhookGone' : 'webhookAnswer'
}

function faultOfError(error: unknown, late: boolean): WebhookFault {
  const { cause } = error as { cause?: unknown }
  if (error instanceof AddressBlocked || cause instanceof AddressBlocked) return 'webhookAddress'
  return late ? 'webhookTimeout' : 'webhookConnection'
}

/** Returns the seconds that a Retry-After means (RFC 9110, 10.2.3), a day at most; null if it isn't one or is over. */
export function pauseOf(header: string | null, now: Date): number | null {
  const text = header?.trim() ?? ''
  // Date.parse also reads what is no HTTP-date, such as "-5"
  const date = /^[A-Z][a-z]+, .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((date - now.getTime()) / 1000)
  return seconds > 0 ? Math.min(seconds, longestPause) : null
}

/**
 * Returns what the log keeps of an answer: receivers tell what they were asked for, and the address may have a token.
 * PostgreSQL stores no zero bytes.
 */
const shown = (text: string, address: string) =>
  maskSecrets(text, secretsOfAddress(address)).slice(0, kept).replaceAll('\0', '\ufffd').toWellFormed()

/**
 * Sends a signed message once. Only its status decides whether it arrived; no redirect is followed, and only addresses
 * are reached that outgoing calls may reach. Throws only if `ending` is aborted (docs/rules/webhooks.md#delivery).
 */
export async function send(target: Target, message: Message, ending?: AbortSignal): Promise<Sent> {
  const timeout = AbortSignal.timeout(longest)
  const signal = ending ? AbortSignal.any([ending, timeout]) : timeout
  const begun = performance.now()
  const took = () => Math.round(performance.now() - begun)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'identity-platform-webhooks',
    ...signedHeaders(message, target.secrets, new Date()),
  }
  let answer: Response
  try {
    answer = await callExternal(target.url, { method: 'POST', headers, body: message.body, signal }, read)
  } catch (error) {
    ending?.throwIfAborted()
    const fault = faultOfError(error, timeout.aborted)
    return { httpStatus: null, duration: took(), fault, response: null, pause: null }
  }
  const response = await answer.text().catch((error: unknown) => {
    const { cause } = error as { cause?: unknown }
    return error instanceof AnswerTooLarge || cause instanceof AnswerTooLarge ? '…' : ''
  })
  const fault = faultOfStatus(answer.status)
  return {
    httpStatus: answer.status,
    duration: took(),
    fault,
    response: shown(response, target.url),
    pause: fault && pauseOf(answer.headers.get('retry-after'), new Date()),
  }
}
