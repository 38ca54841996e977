import { setTimeout as wait } from 'node:timers/promises'
import { decrypt } from '@/lib/base/crypto/encryption'
import { AddressBlocked, AnswerTooLarge } from '@/lib/base/http/external-fetch'
import { callExternal } from '@/lib/network/outgoing-calls/service'
import { insertExchange, storeEnd } from '../exchange-journal/service'
import type { AuthKind, ExchangeFault } from './contract'
import { journalText } from './mask'

/** The longest wait for one answer, and the largest one. */
const longest = 30_000
const largest = 16 * 1024 * 1024
/** How often a request is sent while the other system is away or has too much to do, and the first wait. */
const tries = { most: 3, wait: 500 }

export type Target = {
  id: string
  key: string
  url: string
  auth: AuthKind
  authName: string
  /** Sealed. */
  secret: string | null
}

/** Opens the secret of a stored exchange; empty without one. */
export const secretOf = ({ id, secret }: Pick<Target, 'id' | 'secret'>): string =>
  secret ? decrypt('integration', secret, id) : ''

/** The other system can't be reached, or answers what it shouldn't. */
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

type Asked = {
  runId: string | null
  /** Added to the address. */
  query?: Record<string, string>
  /** Sent as JSON, by POST; without it the request is a GET. */
  body?: unknown
  /** The same for each try of a page, so that the other system can do it once. */
  idempotencyKey?: string
  ending?: AbortSignal | undefined
}
type Answer = { json: unknown; fault: ExchangeFault | null; again: boolean }

function faultOf(error: unknown, ended: boolean): ExchangeFault {
  const { cause } = error as { cause?: unknown }
  if (error instanceof AddressBlocked || cause instanceof AddressBlocked) return 'integrationAddress'
  if (error instanceof AnswerTooLarge || cause instanceof AnswerTooLarge) return 'integrationTooLarge'
  return ended ? 'integrationTimeout' : 'integrationConnection'
}

function readAnswer(status: number, text: string): Answer {
  const refused = (fault: ExchangeFault, again = false): Answer => ({ json: null, fault, again })
  if (status >= 300 && status < 400) return refused('integrationRedirect')
  if (status === 401 || status === 403) return refused('integrationAccess')
  if (status < 200 || status > 299) return refused('integrationAnswer', status === 429 || status >= 500)
  if (text.trim() === '') return { json: null, fault: null, again: false }
  try {
    return { json: JSON.parse(text) as unknown, fault: null, again: false }
  } catch {
    return refused('integrationFormat')
  }
}

/** Sends a request once. Both messages are in the journal, whatever comes of it. */
async function send(target: Target, { runId, query, body, idempotencyKey, ending }: Asked): Promise<Answer> {
  const method = body === undefined ? 'GET' : 'POST'
  const url = `${target.url}${query ? `?${new URLSearchParams(query)}` : ''}`
  const secret = secretOf(target)
  const auth = authOf(target, secret)
  const secrets = [secret, ...Object.values(auth).map((value) => value.replace(/^\w+ /, ''))]
  const sent = body === undefined ? '' : JSON.stringify(body)
  const headers = {
    accept: 'application/json',
    ...auth,
    ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
  }
  // the secret is masked by its header's name too, whatever it is called
  const shown = Object.entries(headers).map(([name, value]): [string, string] => [name, name in auth ? '***' : value])
  const id = await insertExchange({
    key: target.key,
    runId,
    method,
    url,
    request: journalText({ head: `${method} ${url}`, headers: shown, body: sent }, secrets),
  })
  const begun = performance.now()
  const timeout = AbortSignal.timeout(longest)
  const signal = ending ? AbortSignal.any([ending, timeout]) : timeout
  let [httpStatus, response] = [null as number | null, null as string | null]
  let answer: Answer
  try {
    const received = await callExternal(
      url,
      { method, headers, signal, ...(body === undefined ? {} : { body: sent }) },
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
    duration: Math.round(performance.now() - begun),
    fault: answer.fault,
    response,
  })
  return answer
}

/**
 * Sends a request to another system, again while it is away or has too much to do, and returns its JSON. No redirect is
 * followed, and only addresses are reached that outgoing calls may reach. Throws ExchangeFailed
 * (docs/rules/integration.md#requests).
 */
export async function exchange(target: Target, asked: Asked): Promise<unknown> {
  for (let again = 1; ; again++) {
    const answer = await send(target, asked)
    if (!answer.fault) return answer.json
    if (!answer.again || again >= tries.most || asked.ending?.aborted) throw new ExchangeFailed(answer.fault)
    await wait(tries.wait * 2 ** (again - 1))
  }
}
