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
 * Failed authentications of one client from one address: a server with an old secret is stopped, its neighbours are
 * not.
 */
const ofPair: Tier[] = [
  { points: 20, duration: 600 },
  { points: 100, duration: 86_400 },
]
/**
 * Failed authentications of all clients from one address; those of unknown clients are counted separately. Above the
 * limit a client that has neither failed nor succeeded there has one try, and is refused after a failure.
 */
const ofAddress: Tier[] = [
  { points: 100, duration: 600 },
  { points: 500, duration: 86_400 },
]
/**
 * Failed authentications of one client from all addresses: an address that has failed is then refused, with the right
 * secret too, and the answer does not show it.
 */
const ofClient: Tier[] = [{ points: 500, duration: 3_600 }]

/** Milliseconds for which an address that failed is refused for a client under attack. */
const silence = 600_000
/** Milliseconds for which a client that authenticated at an address is known there. */
const knownFor = 3_600_000
const mostKept = 20_000

/** A counter of this process: it applies at once, while those of all processes follow a moment later. */
type Count = { failures: number; ends: number; closedUntil: number; silentUntil: number; triedUntil: number }
const counts = new Map<string, Count>()
/** Until when a client is known at an address, by pair. */
const known = new Map<string, number>()
/** Single tries under way, by pair. */
const trying = new Map<string, Promise<unknown>>()

const pairKey = (ip: string, clientId: string) => `${networkOf(ip)} ${clientId}`
/** The key of clients that are disabled or unknown; no id of a client is empty. */
const nobodyKey = (ip: string) => `${networkOf(ip)} `

function countOf(key: string, now: number): Count {
  const kept = counts.get(key)
  if (kept && Math.max(kept.ends, kept.closedUntil, kept.silentUntil, kept.triedUntil) > now) {
    if (kept.ends <= now) Object.assign(kept, { failures: 0, ends: now + 600_000 })
    return kept
  }
  // the oldest counter is removed: Redis has its count too
  if (counts.size >= mostKept) counts.delete(counts.keys().next().value ?? '')
  const fresh = { failures: 0, ends: now + 600_000, closedUntil: 0, silentUntil: 0, triedUntil: 0 }
  counts.delete(key)
  counts.set(key, fresh)
  return fresh
}

const closedUntil = (...keys: string[]) => Math.max(0, ...keys.map((key) => counts.get(key)?.closedUntil ?? 0))

/** Throws TooManyTries while one of these keys has failed too often. */
function requireOpen(keys: string[], now: number) {
  const until = closedUntil(...keys)
  if (until > now) throw new TooManyRequests((until - now) / 1000)
}

function noteKnown(pair: string, now: number) {
  known.delete(pair)
  if (known.size >= mostKept) known.delete(known.keys().next().value ?? '')
  known.set(pair, now + knownFor)
}

const close = (count: Count, until: number) => {
  count.closedUntil = Math.max(count.closedUntil, until)
}

/** Takes a point in each limit. Returns the milliseconds to wait, 0 for none. */
const waitOf = (limits: Limit[]): Promise<number> =>
  takePoints(...limits).then(
    () => 0,
    (error) => {
      if (error instanceof AppError && error.status === 429) return (error.retryAfter ?? 60) * 1000
      throw error
    },
  )

/** When this process has last recorded that a client's secret is guessed; there are only ids of clients. */
const recordedAt = new Map<string, number>()

/** Puts it into the client's history that its secret is being guessed, once an hour. */
async function recordGuessing(ip: string, clientId: string, now: number) {
  if (now - (recordedAt.get(clientId) ?? 0) < 3_600_000) return
  recordedAt.set(clientId, now)
  const ctx = { ip, user: null, requestId: currentRequestId() ?? randomUUID(), now: () => new Date(now) }
  await db().transaction((tx) => auditHourly(tx, ctx, clientId, 'secretGuessed', new Date(now).toISOString()))
}

/** Counts a failed authentication: at once for this process, and for all processes without waiting. */
function countFailure(ip: string, clientId: string | undefined, now: number) {
  const address = countOf(clientId === undefined ? nobodyKey(ip) : networkOf(ip), now)
  const pair = clientId === undefined ? undefined : countOf(pairKey(ip, clientId), now)
  address.failures++
  if (address.failures >= (ofAddress[0]?.points ?? 0)) close(address, address.ends)
  if (pair) {
    pair.failures++
    if (pair.failures >= (ofPair[0]?.points ?? 0)) close(pair, pair.ends)
  }
  const share = async (limits: Limit[], then: (wait: number) => unknown) => {
    const wait = await waitOf(limits)
    if (wait > 0) await then(wait)
  }
  const failed = (error: unknown) => log.warn({ err: error }, 'a failed proof of a client was not counted')
  const name = pair ? 'oidc-guess-address' : 'oidc-guess-unknown'
  share(addressLimits(name, ip, ofAddress), (wait) => close(address, now + wait)).catch(failed)
  if (!pair) return
  share(addressLimits('oidc-guess', ip, ofPair, ` ${clientId}`), (wait) => close(pair, now + wait)).catch(failed)
  const client = { name: 'oidc-guess-client', key: keyedHash('identifiers', `client ${clientId}`), tiers: ofClient }
  share([client], () => {
    pair.silentUntil = now + silence
    log.warn({ clientId }, 'the secret of a client is being guessed: addresses that fail are refused')
    return recordGuessing(ip, clientId ?? '', now)
  }).catch(failed)
}

/** Requests whose failure is counted already or must not be; and requests that failed. */
const [settled, failedProofs] = [new WeakSet<object>(), new WeakSet<object>()]

/** An authentication: the client, its address, and whether the secret matches. */
type Proof = { ctx: KoaContextWithOIDC; ip: string; clientId: string; matches: boolean }

/** Counts a failure synchronously, so that nothing happens between the check of the limits and the count. */
function judgeNow({ ctx, ip, clientId, matches }: Proof, now: number): boolean {
  const pair = pairKey(ip, clientId)
  const silent = (counts.get(pair)?.silentUntil ?? 0) > now
  if (silent || !matches) settled.add(ctx)
  else noteKnown(pair, now)
  if (!silent && !matches) countFailure(ip, clientId, now)
  return matches && !silent
}

/** The single try of a client at an address above its limit, counted for all processes before the secret is checked. */
async function judgeOnce(proof: Proof, until: number, now: number): Promise<boolean> {
  const { ip, clientId } = proof
  const tried = countOf(pairKey(ip, clientId), now)
  if (tried.failures > 0 || tried.triedUntil > now) throw new TooManyRequests((until - now) / 1000)
  tried.triedUntil = until
  const tiers = [{ points: 1, duration: Math.ceil((until - now) / 1000) }]
  const once = addressLimits('oidc-guess-once', ip, tiers, ` ${clientId}`)
  const wait = await waitOf(once)
  if (wait > 0) {
    // another process has taken it, and gives it back if the client succeeds there
    tried.triedUntil = 0
    throw new TooManyRequests(wait / 1000)
  }
  const taken = judgeNow(proof, Date.now())
  if (!taken) throw new TooManyRequests((until - now) / 1000)
  tried.triedUntil = 0
  await returnPoints(...once)
  return true
}

async function judgeProof(proof: Proof): Promise<boolean> {
  const pair = pairKey(proof.ip, proof.clientId)
  for (let before = trying.get(pair); before; before = trying.get(pair)) await before
  const now = Date.now()
  requireOpen([pair], now)
  const until = closedUntil(networkOf(proof.ip))
  if (until <= now || (known.get(pair) ?? 0) > now) return judgeNow(proof, now)
  const work = judgeOnce(proof, until, now).finally(() => trying.delete(pair))
  trying.set(
    pair,
    work.catch(() => false),
  )
  return work
}

/**
 * Returns whether a client is authenticated, given whether its secret `matches`. A failure is counted here and at once,
 * so that of simultaneous guesses none beyond the limit is checked. Throws TooManyTries for a client that has failed
 * too often at its address, or has failed at all while its address is above the limit. Returns false, as for a wrong
 * secret, while the client is under attack and this address has failed with it.
 */
export async function countAuthentication(clientId: string, matches: boolean): Promise<boolean> {
  const ctx = Provider.ctx as KoaContextWithOIDC | undefined
  if (!ctx) return matches
  try {
    return await judgeProof({ ctx, ip: addressOf(ctx.req), clientId, matches })
  } catch (error) {
    setRetryAfter(ctx, error)
    throw error
  }
}

/** Events of the provider for failed client authentication. */
const failing = [
  'grant.error',
  'introspection.error',
  'revocation.error',
  'device_authorization.error',
  'pushed_authorization_request.error',
] as const

/** Counts every failed client authentication, by address, by client and address, and by client. */
export function guardClients(provider: Provider) {
  const failed = (ctx: KoaContextWithOIDC, error: { statusCode?: number; error?: string }) => {
    if (error.statusCode !== 401 || error.error !== 'invalid_client') return
    failedProofs.add(ctx)
    if (!settled.has(ctx)) countFailure(addressOf(ctx.req), ctx.oidc.client?.clientId, Date.now())
  }
  for (const event of failing) provider.on(event as 'grant.error', failed)
}

/** Answers 429 with the time to wait to a failed authentication from an address above its limit. */
export function answerTooManyFailures(ctx: KoaContextWithOIDC) {
  if (ctx.status !== 401 || !failedProofs.has(ctx)) return
  try {
    const ip = addressOf(ctx.req)
    requireOpen([networkOf(ip), nobodyKey(ip)], Date.now())
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
  counts.clear()
  known.clear()
  recordedAt.clear()
}
