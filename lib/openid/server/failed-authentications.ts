import { randomUUID } from 'node:crypto'
import Provider, { type KoaContextWithOIDC } from 'oidc-provider'
import { db } from '@/db/client'
import { keyedHash } from '@/lib/base/crypto/encryption'
import { addressLimits } from '@/lib/base/limits/address-limits'
import { networkOf } from '@/lib/base/limits/client-ip'
import { type Limit, returnPoints, type Tier, takePoints } from '@/lib/base/limits/limits'
import { AppError } from '@/lib/base/runtime/errors'
import { log } from '@/lib/base/runtime/log'
import { currentRequestId } from '@/lib/base/runtime/request-id'
import { auditHourly } from '../clients/traces'
import { addressOf, setRetryAfter, TooManyRequests } from './rate-limits'

/**
 * Limits of failed authentications of one client from one address: they stop a server with an old secret, but not its
 * neighbours.
 */
const pairTiers: Tier[] = [
  { points: 20, duration: 600 },
  { points: 100, duration: 86_400 },
]
/**
 * Limits of failed authentications of all clients from one address; those of unknown clients are counted separately.
 * Above a limit, a client that has neither failed nor succeeded there has a single try, and is refused after a failure.
 */
const addressTiers: Tier[] = [
  { points: 100, duration: 600 },
  { points: 500, duration: 86_400 },
]
/**
 * Limit of failed authentications of one client from all addresses. Above it, an address that has failed is refused,
 * with the right secret too, and the answer doesn't show it.
 */
const clientTiers: Tier[] = [{ points: 500, duration: 3_600 }]

/** Milliseconds for which an address that failed is refused for a client under attack. */
const refusalTime = 600_000
/** Milliseconds for which a client that authenticated at an address counts as proven there. */
const provenFor = 3_600_000
const maxEntries = 20_000

/**
 * A counter of this process. It applies at once; the counters in Redis, shared by all processes, follow a moment later.
 */
type Counter = { failures: number; ends: number; closedUntil: number; silentUntil: number; triedUntil: number }
const counters = new Map<string, Counter>()
/** Until when a client counts as proven at an address, by pair. */
const provenUntil = new Map<string, number>()
/** Running single tries, by pair. */
const runningTries = new Map<string, Promise<unknown>>()

const pairKey = (ip: string, clientId: string) => `${networkOf(ip)} ${clientId}`
/** Returns the key for clients that are disabled or unknown; no id of a client is empty. */
const unknownClientKey = (ip: string) => `${networkOf(ip)} `

function counterOf(key: string, now: number): Counter {
  const current = counters.get(key)
  if (current && Math.max(current.ends, current.closedUntil, current.silentUntil, current.triedUntil) > now) {
    if (current.ends <= now) Object.assign(current, { failures: 0, ends: now + 600_000 })
    return current
  }
  // the oldest counter is removed: Redis has its count too
  if (counters.size >= maxEntries) counters.delete(counters.keys().next().value ?? '')
  const created = { failures: 0, ends: now + 600_000, closedUntil: 0, silentUntil: 0, triedUntil: 0 }
  counters.delete(key)
  counters.set(key, created)
  return created
}

const closedUntil = (...keys: string[]) => Math.max(0, ...keys.map((key) => counters.get(key)?.closedUntil ?? 0))

/** Throws TooManyRequests while one of these keys has failed too often. */
function requireBelowLimit(keys: string[], now: number) {
  const until = closedUntil(...keys)
  if (until > now) throw new TooManyRequests((until - now) / 1000)
}

function noteProven(pair: string, now: number) {
  provenUntil.delete(pair)
  if (provenUntil.size >= maxEntries) provenUntil.delete(provenUntil.keys().next().value ?? '')
  provenUntil.set(pair, now + provenFor)
}

const closeUntil = (counter: Counter, until: number) => {
  counter.closedUntil = Math.max(counter.closedUntil, until)
}

/** Takes a point in each limit. Returns the milliseconds to wait, 0 for none. */
const takePointsOrWait = (limits: Limit[]): Promise<number> =>
  takePoints(...limits).then(
    () => 0,
    (error) => {
      if (error instanceof AppError && error.status === 429) return (error.retryAfter ?? 60) * 1000
      throw error
    },
  )

/** When this process last recorded that a client's secret is being guessed, by id of an existing client. */
const guessingRecordedAt = new Map<string, number>()

/** Records in the client's history that its secret is being guessed, at most once an hour. */
async function recordGuessing(ip: string, clientId: string, now: number) {
  if (now - (guessingRecordedAt.get(clientId) ?? 0) < 3_600_000) return
  guessingRecordedAt.set(clientId, now)
  const ctx = { ip, user: null, requestId: currentRequestId() ?? randomUUID(), now: () => new Date(now) }
  await db().transaction((tx) => auditHourly(tx, ctx, clientId, 'secretGuessed', new Date(now).toISOString()))
}

/** Counts a failed authentication: at once for this process, and for all processes without waiting. */
function countFailure(ip: string, clientId: string | undefined, now: number) {
  const address = counterOf(clientId === undefined ? unknownClientKey(ip) : networkOf(ip), now)
  const pair = clientId === undefined ? undefined : counterOf(pairKey(ip, clientId), now)
  address.failures++
  if (address.failures >= (addressTiers[0]?.points ?? 0)) closeUntil(address, address.ends)
  if (pair) {
    pair.failures++
    if (pair.failures >= (pairTiers[0]?.points ?? 0)) closeUntil(pair, pair.ends)
  }
  const countForAll = async (limits: Limit[], onExceeded: (wait: number) => unknown) => {
    const wait = await takePointsOrWait(limits)
    if (wait > 0) await onExceeded(wait)
  }
  const logError = (error: unknown) => log.warn({ err: error }, 'a failed proof of a client was not counted')
  const name = pair ? 'oidc-guess-address' : 'oidc-guess-unknown'
  countForAll(addressLimits(name, ip, addressTiers), (wait) => closeUntil(address, now + wait)).catch(logError)
  if (!pair) return
  countForAll(addressLimits('oidc-guess', ip, pairTiers, ` ${clientId}`), (wait) => closeUntil(pair, now + wait)).catch(
    logError,
  )
  const client = { name: 'oidc-guess-client', key: keyedHash('identifiers', `client ${clientId}`), tiers: clientTiers }
  countForAll([client], () => {
    pair.silentUntil = now + refusalTime
    log.warn({ clientId }, 'the secret of a client is being guessed: addresses that fail are refused')
    return recordGuessing(ip, clientId ?? '', now)
  }).catch(logError)
}

/** Requests whose failure is already counted or must not be counted; and requests that failed. */
const [countedRequests, failedRequests] = [new WeakSet<object>(), new WeakSet<object>()]

/** An authentication: the client, its address, and whether the secret matches. */
type Proof = { ctx: KoaContextWithOIDC; ip: string; clientId: string; matches: boolean }

/**
 * Returns whether a client is authenticated. Counts a failure synchronously, so that nothing happens between the check
 * of the limits and the count.
 */
function checkNow({ ctx, ip, clientId, matches }: Proof, now: number): boolean {
  const pair = pairKey(ip, clientId)
  const silent = (counters.get(pair)?.silentUntil ?? 0) > now
  if (silent || !matches) countedRequests.add(ctx)
  else noteProven(pair, now)
  if (!silent && !matches) countFailure(ip, clientId, now)
  return matches && !silent
}

/**
 * Makes the single try of a client at an address above its limit. The try is counted for all processes before the
 * secret is checked. Returns true, or throws TooManyRequests.
 */
async function checkSingleTry(proof: Proof, until: number, now: number): Promise<boolean> {
  const { ip, clientId } = proof
  const counter = counterOf(pairKey(ip, clientId), now)
  if (counter.failures > 0 || counter.triedUntil > now) throw new TooManyRequests((until - now) / 1000)
  counter.triedUntil = until
  const tiers = [{ points: 1, duration: Math.ceil((until - now) / 1000) }]
  const singleTryLimits = addressLimits('oidc-guess-once', ip, tiers, ` ${clientId}`)
  const wait = await takePointsOrWait(singleTryLimits)
  if (wait > 0) {
    // another process has used the single try, and returns its points if the client succeeds there
    counter.triedUntil = 0
    throw new TooManyRequests(wait / 1000)
  }
  const isAuthenticated = checkNow(proof, Date.now())
  if (!isAuthenticated) throw new TooManyRequests((until - now) / 1000)
  counter.triedUntil = 0
  await returnPoints(...singleTryLimits)
  return true
}

async function checkProof(proof: Proof): Promise<boolean> {
  const pair = pairKey(proof.ip, proof.clientId)
  for (let running = runningTries.get(pair); running; running = runningTries.get(pair)) await running
  const now = Date.now()
  requireBelowLimit([pair], now)
  const until = closedUntil(networkOf(proof.ip))
  if (until <= now || (provenUntil.get(pair) ?? 0) > now) return checkNow(proof, now)
  const singleTry = checkSingleTry(proof, until, now).finally(() => runningTries.delete(pair))
  runningTries.set(
    pair,
    singleTry.catch(() => false),
  )
  return singleTry
}

/**
 * Returns whether a client is authenticated, given whether its secret `matches`. A failure is counted here and at once,
 * so that of simultaneous guesses none above the limit is checked. Throws TooManyRequests for a client that has failed
 * too often at its address, or has failed at all while its address is above the limit. Returns false, as for a wrong
 * secret, while the client is under attack and this address has failed with it.
 */
export async function countAuthentication(clientId: string, matches: boolean): Promise<boolean> {
  const ctx = Provider.ctx as KoaContextWithOIDC | undefined
  if (!ctx) return matches
  try {
    return await checkProof({ ctx, ip: addressOf(ctx.req), clientId, matches })
  } catch (error) {
    setRetryAfter(ctx, error)
    throw error
  }
}

/** Events of oidc-provider for failed client authentication. */
const failureEvents = [
  'grant.error',
  'introspection.error',
  'revocation.error',
  'device_authorization.error',
  'pushed_authorization_request.error',
] as const

/** Counts every failed client authentication, by address, by client and address, and by client. */
export function countClientFailures(provider: Provider) {
  const onFailure = (ctx: KoaContextWithOIDC, error: { statusCode?: number; error?: string }) => {
    if (error.statusCode !== 401 || error.error !== 'invalid_client') return
    failedRequests.add(ctx)
    if (!countedRequests.has(ctx)) countFailure(addressOf(ctx.req), ctx.oidc.client?.clientId, Date.now())
  }
  for (const event of failureEvents) provider.on(event as 'grant.error', onFailure)
}

/** Answers 429 with the time to wait to a failed authentication from an address above its limit. */
export function answerTooManyFailures(ctx: KoaContextWithOIDC) {
  if (ctx.status !== 401 || !failedRequests.has(ctx)) return
  try {
    const ip = addressOf(ctx.req)
    requireBelowLimit([networkOf(ip), unknownClientKey(ip)], Date.now())
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error
    setRetryAfter(ctx, error)
    ctx.remove('www-authenticate')
    ctx.status = error.statusCode
    ctx.body = { error: error.error }
  }
}

/** Resets the counters of this process. */
export function clearFailures() {
  counters.clear()
  provenUntil.clear()
  guessingRecordedAt.clear()
}
