import { setTimeout as wait } from 'node:timers/promises'
import { decrypt } from '@/lib/base/crypto/encryption'
import { AddressBlocked, AnswerTooLarge } from '@/lib/base/http/external-fetch'
import { callExternal } from '@/lib/network/outgoing-calls/service'
import { insertExchange, storeEnd } from '../exchange-journal/service'
import type { AuthKind, ExchangeFault } from './contract'
import { journalText } from './mask'

/** The timeout of an answer, and its largest size. */
const longest = 30_000
const largest = 16 * 1024 * 1024
/**
 * How often a request is sent while the other system is unreachable or overloaded, and the first wait in milliseconds.
 */
const tries = { most: 3, wait: 500 }

export type Target = {
  id: string
  key: string
  url: string
  auth: AuthKind
  authName: string
  /** Encrypted. */
  secret: string | null
}

/** Returns the decrypted secret of a stored exchange; empty without one. */
export const secretOf = ({ id, secret }: Pick<Target, 'id' | 'secret'>): string =>
  secret ? decrypt('integration', secret, id) : ''

/** The other system can't be reached, or its answer isn't valid. */
export class ExchangeFailed extends Error {
  override name = 'ExchangeFailed'
  constructor(readonly code: ExchangeFault) {
    super(code)
  }
}

function authOf({ auth, authName }: Target, secret: string): Record<string, string> {
  if (auth === 'bearer') return { authorization: `Bearer ${secret}` }
  if (auth === 'basic') return { authorization: `Basic ${Buffer.from(`${authName}:${secret}`).toString('base64')}` }
  return auth === 'header' ? { [authName.toLowerCase()]: secret } : {}
}

type ExchangeRequest = {
  runId: string | null
  /** The query of the address. */
  query?: Record<string, string>
  /** The JSON body of a POST; without it the request is a GET. */
  body?: unknown
  /** The same for each try of a page, so that the other system can process it once. */
  idempotencyKey?: string
  ending?: AbortSignal | undefined
}
type Answer = { json: unknown; fault: ExchangeFault | null; again: boolean }

function faultOf(error: unknown, timedOut: boolean): ExchangeFault {
  const { cause } = error as { cause?: unknown }
  if (error instanceof AddressBlocked || cause instanceof AddressBlocked) return 'integrationAddress'
  if (error instanceof AnswerTooLarge || cause instanceof AnswerTooLarge) return 'integrationTooLarge'
  return timedOut ? 'integrationTimeout' : 'integrationConnection'
}

function readAnswer(status: number, text: string): Answer {
  const failedAnswer = (fault: ExchangeFault, again = false): Answer => ({ json: null, fault, again })
  if (status >= 300 && status < 400) return failedAnswer('integrationRedirect')
  if (status === 401 || status === 403) return failedAnswer('integrationAccess')
  if (status < 200 || status > 299) return failedAnswer('integrationAnswer', status === 429 || status >= 500)
  if (text.trim() === '') return { json: null, fault: null, again: false }
  try {
    return { json: JSON.parse(text) as unknown, fault: null, again: false }
  } catch {
    return failedAnswer('integrationFormat')
  }
}

/** Sends a request once. The journal records both messages, also of a failure. */
async function send(target: Target, { runId, query, body, idempotencyKey, ending }: ExchangeRequest): Promise<Answer> {
  const method = body === undefined ? 'GET' : 'POST'
  const url = `${target.url}${query ? `?${new URLSearchParams(query)}` : ''}`
  const secret = secretOf(target)
  const auth = authOf(target, secret)
  const secrets = [secret, ...Object.values(auth).map((value) => value.replace(/^\w+ /, ''))]
  const payload = body === undefined ? '' : JSON.stringify(body)
  const headers = {
    accept: 'application/json',
    ...auth,
    ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
  }
  // the value of the secret's header is masked, whatever the name of the header
  const maskedHeaders = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    name in auth ? '***' : value,
  ])
  const id = await insertExchange({
    key: target.key,
    runId,
    method,
    url,
    request: journalText({ head: `${method} ${url}`, headers: maskedHeaders, body: payload }, secrets),
  })
  const startedAt = performance.now()
  const timeout = AbortSignal.timeout(longest)
  const signal = ending ? AbortSignal.any([ending, timeout]) : timeout
  let [httpStatus, response] = [null as number | null, null as string | null]
  let answer: Answer
  try {
    const received = await callExternal(
      url,
      { method, headers, signal, ...(body === undefined ? {} : { body: payload }) },
      largest,
    )
    httpStatus = received.status
    const head = `HTTP ${httpStatus}`
    response = journalText({ head, headers: received.headers, body: '' }, secrets)
    const text = await received.text()
    response = journalText({ head, headers: received.headers, body: text }, secrets)
    answer = readAnswer(httpStatus, text)
  } catch (error) {
    const fault = faultOf(error, timeout.aborted)
    answer = { json: null, fault, again: fault === 'integrationConnection' }
  }
  await storeEnd(id, {
    status: answer.fault ? 'error' : 'success',
    httpStatus,
    duration: Math.round(performance.now() - startedAt),
    fault: answer.fault,
    response,
  })
  return answer
}

/**
 * Sends a request to another system, and repeats it while the system is unreachable or overloaded. Returns the JSON of
 * the answer. Follows no redirect, and calls only addresses that outgoing calls may reach. Throws ExchangeFailed
 * (docs/rules/integration.md#requests).
 */
export async function exchange(target: Target, request: ExchangeRequest): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const answer = await send(target, request)
    if (!answer.fault) return answer.json
    if (!answer.again || attempt >= tries.most || request.ending?.aborted) throw new ExchangeFailed(answer.fault)
    await wait(tries.wait * 2 ** (attempt - 1))
  }
}
