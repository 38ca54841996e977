import { RateLimiterMemory } from 'rate-limiter-flexible'
import { AppError } from './errors'
import { redis } from './redis'

/** So many points within so many seconds, from the first of them on. */
export type Tier = { points: number; duration: number }
/** What is counted and against what; `key` tells nobody's name. */
export type Limit = { name: string; key: string; tiers: readonly Tier[] }

// all tiers in one step and one round trip: gives the longest wait in milliseconds, 0 when every tier had a point
const taking = `
local wait = 0
for i, key in ipairs(KEYS) do
  local count = redis.call('incr', key)
  if count == 1 then redis.call('expire', key, ARGV[2 * i]) end
  if count > tonumber(ARGV[2 * i - 1]) then wait = math.max(wait, redis.call('pttl', key), 1) end
end
return wait`

// a window that ended meanwhile has nothing to give back to
const returning = `for _, key in ipairs(KEYS) do if redis.call('exists', key) == 1 then redis.call('decr', key) end end`

const keysOf = ({ name, key, tiers }: Limit) => tiers.map((_, tier) => `limit:${name}:${tier}:${key}`)

const memory = new Map<string, RateLimiterMemory[]>()

/** With Redis away every process counts for itself, twice as strictly. */
function insurance({ name, tiers }: Limit): RateLimiterMemory[] {
  let list = memory.get(name)
  if (!list) {
    list = tiers.map(
      ({ points, duration }, tier) =>
        new RateLimiterMemory({ keyPrefix: `${name}:${tier}`, points: Math.ceil(points / 2), duration }),
    )
    memory.set(name, list)
  }
  return list
}

/** Gives the longest wait in milliseconds, 0 when every tier had a point. */
async function takeLocally(limits: readonly Limit[]): Promise<number> {
  const taken = await Promise.allSettled(
    limits.flatMap((limit) => insurance(limit).map((limiter) => limiter.consume(limit.key))),
  )
  return Math.max(
    0,
    ...taken.map((result) =>
      result.status === 'rejected' ? (result.reason as { msBeforeNext: number }).msBeforeNext : 0,
    ),
  )
}

/** Takes a point in every tier of every limit. Throws 429 with the longest wait when one is used up. */
export async function takePoints(...limits: Limit[]) {
  const keys = limits.flatMap(keysOf)
  const tiers = limits.flatMap((limit) => limit.tiers.flatMap(({ points, duration }) => [points, duration]))
  const wait = await redis()
    .eval(taking, keys.length, ...keys, ...tiers)
    .then(Number)
    .catch(() => takeLocally(limits))
  if (wait > 0) throw new AppError(429, 'tooManyAttempts', {}, wait / 1000)
}

/** Gives a taken point back. Never throws. */
export async function returnPoints(...limits: Limit[]) {
  const keys = limits.flatMap(keysOf)
  await redis()
    .eval(returning, keys.length, ...keys)
    .catch(() => 0)
  for (const limit of limits)
    if (memory.has(limit.name)) for (const limiter of insurance(limit)) await limiter.reward(limit.key)
}

/** Forgets what was counted under a limit's key. Never throws. */
export async function forgetPoints(limit: Limit) {
  await redis()
    .del(...keysOf(limit))
    .catch(() => 0)
  if (memory.has(limit.name)) for (const limiter of insurance(limit)) await limiter.delete(limit.key)
}
