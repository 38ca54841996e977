import { RateLimiterMemory } from 'rate-limiter-flexible'
import { AppError } from './errors'
import { redis } from './redis'

/** So many points within so many seconds, from the first of them on. */
export type Tier = { points: number; duration: number }
/** What is counted and against what; `key` tells nobody's name. */
export type Limit = { name: string; key: string; tiers: readonly Tier[] }

/** For scripts: the longest wait in milliseconds of the first so many KEYS, 0 while each has a point. */
export const waitOf = `
local function waitOf(keys, points)
  local wait = 0
  for i, key in ipairs(keys) do
    if tonumber(redis.call('get', key) or '0') >= tonumber(points[i]) then
      wait = math.max(wait, redis.call('pttl', key), 1)
    end
  end
  return wait
end
local function take(keys, durations)
  for i, key in ipairs(keys) do
    if redis.call('incr', key) == 1 then redis.call('expire', key, durations[i]) end
  end
end
`

// all tiers in one step and one round trip. A refused try isn't counted, or whoever is refused is shut out for longer
const taking = `${waitOf}
local open, silent = { {}, {}, {} }, { {}, {}, {} }
for i, key in ipairs(KEYS) do
  local list = i <= tonumber(ARGV[1]) and open or silent
  table.insert(list[1], key)
  table.insert(list[2], ARGV[2 * i])
  table.insert(list[3], ARGV[2 * i + 1])
end
local wait = waitOf(open[1], open[2])
if wait > 0 then return wait end
take(open[1], open[3])
if waitOf(silent[1], silent[2]) > 0 then return -1 end
take(silent[1], silent[3])
return 0`

// a window that ended meanwhile has nothing to give back to
const settling = `
for i, key in ipairs(KEYS) do
  if i > tonumber(ARGV[1]) then redis.call('del', key)
  elseif redis.call('exists', key) == 1 then redis.call('decr', key) end
end`

export const keysOf = ({ name, key, tiers }: Limit) => tiers.map((_, tier) => `limit:${name}:${tier}:${key}`)

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

/** Takes a point in every tier of every limit, or in none. Gives the longest wait in milliseconds, 0 when taken. */
async function takeLocally(limits: readonly Limit[]): Promise<number> {
  const all = limits.flatMap((limit) => insurance(limit).map((limiter) => ({ limiter, key: limit.key })))
  const taken = await Promise.allSettled(all.map(({ limiter, key }) => limiter.consume(key)))
  const wait = Math.max(
    0,
    ...taken.map((result) =>
      result.status === 'rejected' ? (result.reason as { msBeforeNext: number }).msBeforeNext : 0,
    ),
  )
  if (wait > 0) for (const { limiter, key } of all) await limiter.reward(key)
  return wait
}

async function takeAllLocally(open: readonly Limit[], silent: readonly Limit[]): Promise<number> {
  const wait = await takeLocally(open)
  if (wait > 0) return wait
  return (await takeLocally(silent)) > 0 ? -1 : 0
}

export const tooManyAttempts = (wait: number) => new AppError(429, 'tooManyAttempts', {}, wait / 1000)

/**
 * Takes a point in every tier of the open limits; throws 429 with the longest wait when one is used up, and counts
 * nothing then. The silent ones are taken after them: false when one of those is used up, which nobody must be told.
 */
export async function takeWithSilent(open: readonly Limit[], silent: readonly Limit[]): Promise<boolean> {
  const limits = [...open, ...silent]
  const tiers = limits.flatMap((limit) => limit.tiers.flatMap(({ points, duration }) => [points, duration]))
  const wait = await redis()
    .eval(taking, limits.flatMap(keysOf).length, ...limits.flatMap(keysOf), open.flatMap(keysOf).length, ...tiers)
    .then(Number)
    .catch(() => takeAllLocally(open, silent))
  if (wait > 0) throw tooManyAttempts(wait)
  return wait === 0
}

/** Takes a point in every tier of every limit. Throws 429 with the longest wait when one is used up. */
export const takePoints = async (...limits: Limit[]): Promise<void> => void (await takeWithSilent(limits, []))

/** Gives taken points back and forgets what was counted under other limits. Never throws. */
export async function settlePoints({ back = [], forgotten = [] }: { back?: Limit[]; forgotten?: Limit[] }) {
  const keys = [...back, ...forgotten].flatMap(keysOf)
  await redis()
    .eval(settling, keys.length, ...keys, back.flatMap(keysOf).length)
    .catch(() => 0)
  for (const limit of back)
    if (memory.has(limit.name)) for (const limiter of insurance(limit)) await limiter.reward(limit.key)
  for (const limit of forgotten)
    if (memory.has(limit.name)) for (const limiter of insurance(limit)) await limiter.delete(limit.key)
}

/** Gives a taken point back. Never throws. */
export const returnPoints = (...limits: Limit[]) => settlePoints({ back: limits })
