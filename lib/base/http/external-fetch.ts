import { lookup } from 'node:dns'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { pipeline, Readable, Transform } from 'node:stream'
import ipaddr from 'ipaddr.js'

/** Thrown if an entered address leads to a host that this server must not reach. */
export class AddressBlocked extends Error {
  override name = 'AddressBlocked'
  constructor(host: string) {
    super(`${host} is not a public address`)
  }
}

/** Thrown while an answer is read, if it is larger than the caller allows. */
export class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge'
  constructor(most: number) {
    super(`an answer of more than ${most} bytes`)
  }
}

const globalIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Returns whether an address is public: no address of this machine or a private network, in whatever spelling. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text.replace(/%.*$/, ''))
  return address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(globalIPv6))
}

export type AllowedAddresses = (address: string) => boolean | Promise<boolean>

/**
 * Returns a lookup that only returns addresses that `mayReach` allows, so that the connection goes to a checked
 * address.
 */
const checkedLookup =
  (mayReach: AllowedAddresses): LookupFunction =>
  (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      Promise.all(addresses.map(async (candidate) => ({ ...candidate, open: await mayReach(candidate.address) }))).then(
        (checked) => {
          const reachable = checked
            .filter((candidate) => candidate.open)
            .map(({ address, family }) => ({ address, family }))
          const [first] = reachable
          if (!first) return callback(new AddressBlocked(host), [])
          if (options.all) callback(null, reachable)
          else callback(null, first.address, first.family)
        },
        (failure) => callback(failure, []),
      )
    })
  }

type ExternalRequest = Pick<RequestInit, 'method' | 'headers' | 'signal'> & { body?: URLSearchParams | string }

const bodilessStatuses = new Set([204, 205, 304])

/** The most bytes of an answer by default: keys and short answers are small. */
const defaultByteLimit = 256 * 1024

const byteLimiter = (most: number) => {
  let received = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      if (received > most) done(new AnswerTooLarge(most))
      else done(null, chunk)
    },
  })
}

/**
 * Like fetch, for addresses that people entered. Connects only if `mayReach` allows the address of the connection
 * itself; follows no redirects; reads at most `most` bytes, 256 KB by default. Throws AddressBlocked and errors of the
 * connection; reading the answer throws AnswerTooLarge.
 */
export async function fetchExternal(
  address: string | URL,
  init: ExternalRequest,
  mayReach: AllowedAddresses,
  most = defaultByteLimit,
): Promise<Response> {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // an IP address is not looked up
  if (isIP(host) && !(await mayReach(host))) throw new AddressBlocked(host)
  const body = init.body === undefined ? undefined : String(init.body)
  const headers = new Headers(init.headers)
  if (init.body instanceof URLSearchParams && !headers.has('content-type'))
    headers.set('content-type', 'application/x-www-form-urlencoded')
  const options = {
    method: init.method ?? 'GET',
    headers: { ...Object.fromEntries(headers), ...(body ? { 'content-length': Buffer.byteLength(body) } : {}) },
    signal: init.signal ?? undefined,
    agent: false,
    lookup: checkedLookup(mayReach),
  }
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, options, (answer) => {
      const answerHeaders = new Headers()
      for (const [name, values] of Object.entries(answer.headersDistinct))
        for (const value of values ?? []) answerHeaders.append(name, value)
      const status = answer.statusCode ?? 500
      const hasNoBody = bodilessStatuses.has(status)
      if (hasNoBody) answer.resume()
      // the reader of the answer receives the error
      const body = hasNoBody ? null : pipeline(answer, byteLimiter(most), () => {})
      const stream = body && (Readable.toWeb(body) as ReadableStream)
      resolve(new Response(stream, { status, statusText: answer.statusMessage, headers: answerHeaders }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

/**
 * Discards an answer whose body isn't needed; the abort of its request ends it. Cancelling the body would throw in this
 * process while more of it arrives.
 */
export const discardBody = (answer: Response): void => void answer.arrayBuffer().catch(() => undefined)
