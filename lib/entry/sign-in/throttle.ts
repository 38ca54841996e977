import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { keyedHash } from '@/lib/kernel/crypto/secrets'
import { AppError } from '@/lib/kernel/errors'
import { redis } from '@/lib/kernel/redis'

type Tier = { points: number; duration: number }

/** Wrong passwords: the wait grows from seconds to minutes, and at the limit the flow rests for 15 minutes. */
const accountTiers: Tier[] = [
  { points: 4, duration: 10 },
  { points: 7, duration: 120 },
  { points: 10, duration: 900 },
]
const addressTiers: Tier[] = [
  { points: 20, duration: 10 },
  { points: 60, duration: 120 },
  { points: 120, duration: 900 },
]
/** Attempts begun by one address: high enough for a company behind one gateway. */
const beginTiers: Tier[] = [{ points: 600, duration: 600 }]

const made = new Map<string, { client: unknown; list: RateLimiterRedis[] }>()

function limiters(name: string, tiers: Tier[]): RateLimiterRedis[] {
  const storeClient = redis()
  const kept = made.get(name)
  if (kept?.client === storeClient) return kept.list
  const list = tiers.map(({ points, duration }, tier) => {
    const keyPrefix = `limit:${name}:${tier}`
    // with Redis away every process counts for itself, more strictly
    const insuranceLimiter = new RateLimiterMemory({ keyPrefix, points: Math.ceil(points / 2), duration })
    return new RateLimiterRedis({ storeClient, keyPrefix, points, duration, insuranceLimiter })
  })
  made.set(name, { client: storeClient, list })
  return list
}

/** Takes a point in every tier. Throws 429 with the longest wait when one is used up. */
async function take(name: string, tiers: Tier[], key: string) {
  const taken = await Promise.allSettled(limiters(name, tiers).map((limiter) => limiter.consume(key)))
  const waits: number[] = []
  for (const result of taken) {
    if (result.status === 'fulfilled') continue
    if (!(result.reason instanceof RateLimiterRes)) throw result.reason
    waits.push(result.reason.msBeforeNext)
  }
  if (waits.length > 0) throw new AppError(429, 'tooManyAttempts', {}, Math.max(...waits) / 1000)
}

export type PasswordKeys = {
  /** The account if there is one, else the identifier: either way no name stands in Redis. */
  subject: string
  /** The browser, if it has signed this account in before: then others' failures don't hold it up. */
  knownDevice: string | null
  ip: string
}

const accountKey = ({ subject, knownDevice }: PasswordKeys) =>
  keyedHash('identifiers', `${subject} ${knownDevice ?? ''}`)
const addressKey = (ip: string) => keyedHash('identifiers', `address ${ip}`)

/** Before a password is looked at: counts the try against account and address, so that parallel ones can't slip by. */
export async function countPasswordTry(keys: PasswordKeys) {
  await Promise.all([
    take('password-address', addressTiers, addressKey(keys.ip)),
    take('password-account', accountTiers, accountKey(keys)),
  ])
}

/** After the right password: the account starts afresh, the address gets its point back. */
export async function forgivePasswordTries(keys: PasswordKeys) {
  await Promise.allSettled([
    ...limiters('password-account', accountTiers).map((limiter) => limiter.delete(accountKey(keys))),
    ...limiters('password-address', addressTiers).map((limiter) => limiter.reward(addressKey(keys.ip))),
  ])
}

/** Counts an attempt begun from an address. Throws 429. */
export const countBegin = (ip: string) => take('begin', beginTiers, addressKey(ip))
