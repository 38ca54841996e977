import { Webhook } from 'standardwebhooks'
import { AddressBlocked, AnswerTooLarge } from '@/lib/base/http/external-fetch'
import { maskSecrets, secretsOfAddress } from '@/lib/base/text/masks'
import { callExternal } from '@/lib/network/outgoing-calls/service'

/** The timeout of an answer in milliseconds. */
const answerTimeout = 15_000
/** The most bytes of an answer that are read, and the most characters of it in the log. */
const maxAnswerBytes = 64 * 1024
const maxStoredCharacters = 4_000
/** The longest pause that a receiver may ask for, in seconds: a webhook that fails for longer is disabled soon. */
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
  /** The seconds for which the receiver wants no messages. */
  pause: number | null
}

/** Returns the headers of a message by Standard Webhooks: a signature for each valid secret. */
export const signedHeaders = ({ id, body }: Message, secrets: readonly string[], sentAt: Date) => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
  'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, sentAt, body)).join(' '),
})

function faultOfStatus(status: number): WebhookFault | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return 'webhookRedirect'
  return status === 410 ? 'webhookGone' : 'webhookAnswer'
}

function faultOfError(error: unknown, timedOut: boolean): WebhookFault {
  const { cause } = error as { cause?: unknown }
  if (error instanceof AddressBlocked || cause instanceof AddressBlocked) return 'webhookAddress'
  return timedOut ? 'webhookTimeout' : 'webhookConnection'
}

/** Returns the seconds of a Retry-After (RFC 9110, 10.2.3), a day at most; null if it is invalid or in the past. */
export function pauseOf(header: string | null, now: Date): number | null {
  const text = header?.trim() ?? ''
  // Date.parse also accepts texts that are no HTTP-date, such as "-5"
  const date = /^[A-Z][a-z]+, .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((date - now.getTime()) / 1000)
  return seconds > 0 ? Math.min(seconds, longestPause) : null
}

/**
 * Returns an answer as the log stores it, without secrets of the address: receivers may repeat the request, and the
 * address may contain a token. PostgreSQL stores no zero bytes.
 */
const storedAnswer = (text: string, address: string) =>
  maskSecrets(text, secretsOfAddress(address)).slice(0, maxStoredCharacters).replaceAll('\0', '\ufffd').toWellFormed()

/**
 * Sends a signed message once. Only the status of the answer decides whether it arrived. Follows no redirect, and calls
 * only addresses that outgoing calls may reach. Throws only if `ending` is aborted (docs/rules/webhooks.md#delivery).
 */
export async function send(target: Target, message: Message, ending?: AbortSignal): Promise<Sent> {
  const timeout = AbortSignal.timeout(answerTimeout)
  const signal = ending ? AbortSignal.any([ending, timeout]) : timeout
  const startedAt = performance.now()
  const took = () => Math.round(performance.now() - startedAt)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'identity-platform-webhooks',
    ...signedHeaders(message, target.secrets, new Date()),
  }
  let answer: Response
  try {
    answer = await callExternal(target.url, { method: 'POST', headers, body: message.body, signal }, maxAnswerBytes)
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
    response: storedAnswer(response, target.url),
    pause: fault && pauseOf(answer.headers.get('retry-after'), new Date()),
  }
}
