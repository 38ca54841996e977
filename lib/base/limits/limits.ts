import { RateLimiterMemory } from 'rate-limiter-flexible'
import { redis } from '../redis/redis'
import { AppError } from '../runtime/errors'
import { countUp } from '../runtime/metrics'

/** A number of points within a number of seconds, counted from the first point. */
export type Tier = { points: number; duration: number }
/** What is counted, and up to which limits; `key` holds no name of a person. */
export type Limit = { name: string; key: string; tiers: readonly Tier[] }

/**
 * Lua functions for scripts. `waitOf` returns the longest wait in milliseconds of the first KEYS, 0 while each has a
 * point left; `take` takes a point of each key.
 */
const waitOf = `
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

// all tiers in one step and one round trip. A refused try is not counted: otherwise repeated tries would extend the
// wait
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

const looking = `${waitOf}
return waitOf(KEYS, ARGV)`

// an expired window must not be created again
const settling = `
for i, key in ipairs(KEYS) do
  if i > tonumber(ARGV[1]) then redis.call('del', key)
  elseif redis.call('exists', key) == 1 then redis.call('decr', key) end
end`

const limitKeys = ({ name, key, tiers }: Limit) => tiers.map((_, tier) => `limit:${name}:${tier}:${key}`)

const memory = new Map<string, RateLimiterMemory[]>()

/** Without Redis every process counts for itself, with half of the points. */
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

/**
 * Takes a point in every tier of every limit, or in none. Returns the longest wait in milliseconds, 0 when the points
 * were taken.
 */
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

/** Returns the 429 of a limit, and counts it under the limit's name. */
export function tooManyAttempts(wait: number, limit: string): AppError {
  countUp('platform_limited_total', { limit })
  return new AppError(429, 'tooManyAttempts', {}, wait / 1000)
}

/**
 * Takes a point in every tier of the open limits. Throws 429 with the longest wait when one is exhausted, and counts
 * nothing then. Takes the silent limits after them and returns false when one of those is exhausted, which the answer
 * must not show.
 */
export async function takeWithHidden(open: readonly Limit[], silent: readonly Limit[]): Promise<boolean> {
  const limits = [...open, ...silent]
  const tiers = limits.flatMap((limit) => limit.tiers.flatMap(({ points, duration }) => [points, duration]))
  const wait = await redis()
    .eval(
      taking,
      limits.flatMap(limitKeys).length,
      ...limits.flatMap(limitKeys),
      open.flatMap(limitKeys).length,
      ...tiers,
    )
    .then(Number)
    .catch(() => takeAllLocally(open, silent))
  if (wait > 0) throw tooManyAttempts(wait, open[0]?.name ?? 'unknown')
  return wait === 0
}

/** Takes a point in every tier of every limit. Throws 429 with the longest wait when one is exhausted. */
export const takePoints = async (...limits: Limit[]): Promise<void> => void (await takeWithHidden(limits, []))

async function waitLocally(limit: Limit): Promise<number> {
  if (!memory.has(limit.name)) return 0
  const states = await Promise.all(
    insurance(limit).map(async (limiter) => ({ limiter, of: await limiter.get(limit.key) })),
  )
  return Math.max(
    0,
    ...states.map(({ limiter, of }) => (of && of.consumedPoints >= limiter.points ? of.msBeforeNext : 0)),
  )
}

/** Returns for each limit how many milliseconds it stops for, 0 if it has points left. Counts nothing. Never throws. */
export function waitsOf(limits: readonly Limit[]): Promise<number[]> {
  const stopped = async (limit: Limit) => {
    const points = limit.tiers.map((tier) => tier.points)
    return Number(await redis().eval(looking, limitKeys(limit).length, ...limitKeys(limit), ...points))
  }
  return Promise.all(limits.map((limit) => stopped(limit).catch(() => waitLocally(limit))))
}

/** Returns points that were taken, and resets other limits. Never throws. */
export async function settlePoints({ back = [], forgotten = [] }: { back?: Limit[]; forgotten?: Limit[] }) {
  const keys = [...back, ...forgotten].flatMap(limitKeys)
  await redis()
    .eval(settling, keys.length, ...keys, back.flatMap(limitKeys).length)
    .catch(() => 0)
  for (const limit of back)
    if (memory.has(limit.name)) for (const limiter of insurance(limit)) await limiter.reward(limit.key)
  for (const limit of forgotten)
    if (memory.has(limit.name)) for (const limiter of insurance(limit)) await limiter.delete(limit.key)
}

/** Returns points that were taken. Never throws. */
export const returnPoints = (...limits: Limit[]) => settlePoints({ back: limits })
