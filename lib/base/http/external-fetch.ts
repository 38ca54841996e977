import { lookup } from 'node:dns'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { pipeline, Readable, Transform } from 'node:stream'
import ipaddr from 'ipaddr.js'

/** Thrown when an entered address leads to a place that this server must not reach. */
export class AddressBlocked extends Error {
  override name = 'AddressBlocked'
  constructor(host: string) {
    super(`${host} is not a public address`)
  }
}

/** Thrown while an answer is read that is larger than the caller allows. */
export class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge'
  constructor(most: number) {
    super(`an answer of more than ${most} bytes`)
  }
}

const globalIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Returns whether an address is public: not this machine, not a private network, and not a disguise of one. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text.replace(/%.*$/, ''))
  return address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(globalIPv6))
}

export type AllowedAddresses = (address: string) => boolean | Promise<boolean>

/**
 * Returns a lookup that only returns reachable addresses, so that the connection goes to the checked address.
 */
const reaching =
  (mayReach: AllowedAddresses): LookupFunction =>
  (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [])
      Promise.all(found.map(async (one) => ({ ...one, open: await mayReach(one.address) }))).then(
        (looked) => {
          const open = looked.filter((one) => one.open).map(({ address, family }) => ({ address, family }))
          const [first] = open
          if (!first) return callback(new AddressBlocked(host), [])
          if (options.all) callback(null, open)
          else callback(null, first.address, first.family)
        },
        (failure) => callback(failure, []),
      )
    })
  }

type Asked = Pick<RequestInit, 'method' | 'headers' | 'signal'> & { body?: URLSearchParams | string }

const bodiless = new Set([204, 205, 304])

/** The most bytes of an answer by default: keys and short answers are small. */
const fewBytes = 256 * 1024

const capped = (most: number) => {
  let seen = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length
      if (seen > most) done(new AnswerTooLarge(most))
      else done(null, chunk)
    },
  })
}

/**
 * Like fetch, for addresses that other people entered. Connects only to what `mayReach` allows, which checks the
 * address of the connection itself; follows no redirects; reads at most 256 KB, or `most` bytes. Throws AddressBlocked,
 * and errors of the connection.
 */
export async function fetchExternal(
  address: string | URL,
  asked: Asked,
  mayReach: AllowedAddresses,
  most = fewBytes,
): Promise<Response> {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // an IP address is not looked up
  if (isIP(host) && !(await mayReach(host))) throw new AddressBlocked(host)
  const body = asked.body === undefined ? undefined : String(asked.body)
  const headers = new Headers(asked.headers)
  if (asked.body instanceof URLSearchParams && !headers.has('content-type'))
    headers.set('content-type', 'application/x-www-form-urlencoded')
  const options = {
    method: asked.method ?? 'GET',
    headers: { ...Object.fromEntries(headers), ...(body ? { 'content-length': Buffer.byteLength(body) } : {}) },
    signal: asked.signal ?? undefined,
    agent: false,
    lookup: reaching(mayReach),
  }
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, options, (answer) => {
      const received = new Headers()
      for (const [name, values] of Object.entries(answer.headersDistinct))
        for (const value of values ?? []) received.append(name, value)
      const status = answer.statusCode ?? 500
      const none = bodiless.has(status)
      if (none) answer.resume()
      // the reader of the answer receives the error
      const body = none ? null : pipeline(answer, capped(most), () => {})
      const stream = body && (Readable.toWeb(body) as ReadableStream)
      resolve(new Response(stream, { status, statusText: answer.statusMessage, headers: received }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

/**
 * Lets go of an answer whose body nobody reads; the abort of its request ends it. Cancelling the body would throw in
 * this process while more of it arrives.
 */
export const discardBody = (answer: Response): void => void answer.arrayBuffer().catch(() => undefined)
