import { RateLimiterMemory } from 'rate-limiter-flexible'
import { redis } from '../redis/redis'
import { AppError } from '../runtime/errors'
import { countUp } from '../runtime/metrics'

/** A number of points within a number of seconds, counted from the first point. */
export type Tier = { points: number; duration: number }
/** What is counted, and the limits of the count; `key` contains no personal data. */
export type Limit = { name: string; key: string; tiers: readonly Tier[] }

/**
 * Lua functions for scripts. `waitOf` returns the longest wait in milliseconds of the first KEYS, 0 while each has a
 * point left; `take` takes a point of each key; `tiersFrom` returns the keys, points and durations of `pointArguments`.
 */
const luaFunctions = `
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
local function tiersFrom(first, last)
  local keys, points, durations = {}, {}, {}
  for i = first, last do
    table.insert(keys, KEYS[i])
    table.insert(points, ARGV[2 * i])
    table.insert(durations, ARGV[2 * i + 1])
  end
  return keys, points, durations
end
`

/**
 * The beginning of Lua scripts that take `pointArguments`. Its function `takePoints` takes a point in every tier and
 * returns 0, or takes none and returns the longest wait in milliseconds. `limitKeys` is how many KEYS belong to the
 * limits, `rest` is the index of the next argument.
 */
export const takePointsScript = `${luaFunctions}
local limitKeys = tonumber(ARGV[1])
local rest = 2 * limitKeys + 2
local function takePoints()
  local keys, points, durations = tiersFrom(1, limitKeys)
  local wait = waitOf(keys, points)
  if wait == 0 then take(keys, durations) end
  return wait
end
`

// takes all tiers in one step and one round trip. A refused try is not counted: otherwise repeated tries would extend
// the wait
const takeScript = `${takePointsScript}
local wait = takePoints()
if wait > 0 then return wait end
local keys, points, durations = tiersFrom(limitKeys + 1, #KEYS)
if waitOf(keys, points) > 0 then return -1 end
take(keys, durations)
return 0`

const waitScript = `${luaFunctions}
return waitOf(KEYS, ARGV)`

// an expired window must not be created again
const settleScript = `
for i, key in ipairs(KEYS) do
  if i > tonumber(ARGV[1]) then redis.call('del', key)
  elseif redis.call('exists', key) == 1 then redis.call('decr', key) end
end`

const limitKeys = ({ name, key, tiers }: Limit) => tiers.map((_, tier) => `limit:${name}:${tier}:${key}`)

// one for each process: bundles may contain several copies of this file
const shared = globalThis as typeof globalThis & { platformLimiters?: Map<string, RateLimiterMemory[]> }
shared.platformLimiters ??= new Map()
const limitersByName = shared.platformLimiters

/** Returns the limiters for when Redis is away: each process counts for itself, with half of the points. */
function localLimiters({ name, tiers }: Limit): RateLimiterMemory[] {
  let list = limitersByName.get(name)
  if (!list) {
    list = tiers.map(
      ({ points, duration }, tier) =>
        new RateLimiterMemory({ keyPrefix: `${name}:${tier}`, points: Math.ceil(points / 2), duration }),
    )
    limitersByName.set(name, list)
  }
  return list
}

/**
 * Takes a point in every tier of every limit, or in none. Returns the longest wait in milliseconds, 0 when the points
 * were taken.
 */
async function takeLocally(limits: readonly Limit[]): Promise<number> {
  const limiters = limits.flatMap((limit) => localLimiters(limit).map((limiter) => ({ limiter, key: limit.key })))
  const results = await Promise.allSettled(limiters.map(({ limiter, key }) => limiter.consume(key)))
  const wait = Math.max(
    0,
    ...results.map((result) =>
      result.status === 'rejected' ? (result.reason as { msBeforeNext: number }).msBeforeNext : 0,
    ),
  )
  if (wait > 0) for (const { limiter, key } of limiters) await limiter.reward(key)
  return wait
}

async function takeAllLocally(visible: readonly Limit[], hidden: readonly Limit[]): Promise<number> {
  const wait = await takeLocally(visible)
  if (wait > 0) return wait
  return (await takeLocally(hidden)) > 0 ? -1 : 0
}

/** Returns the 429 error of a limit, and counts it in the metrics under the limit's name. */
export function tooManyAttempts(wait: number, limit: string): AppError {
  countUp('platform_limited_total', { limit })
  return new AppError(429, 'tooManyAttempts', {}, wait / 1000)
}

const tierValues = (limits: readonly Limit[]) =>
  limits.flatMap((limit) => limit.tiers.flatMap(({ points, duration }) => [points, duration]))

/** Returns the first keys and the first arguments of a script that begins with `takePointsScript`. */
export const pointArguments = (limits: readonly Limit[]) => {
  const keys = limits.flatMap(limitKeys)
  return { keys, values: [keys.length, ...tierValues(limits)] }
}

/**
 * Takes a point in every tier of the visible limits. Throws 429 with the longest wait if one is exhausted, and then
 * counts nothing. Afterwards takes a point of the hidden limits, and returns false if one of those is exhausted; the
 * caller must then answer as if nothing had happened.
 */
export async function takeWithHidden(visible: readonly Limit[], hidden: readonly Limit[]): Promise<boolean> {
  const { keys, values } = pointArguments(visible)
  const hiddenKeys = hidden.flatMap(limitKeys)
  const wait = await redis()
    .eval(takeScript, keys.length + hiddenKeys.length, ...keys, ...hiddenKeys, ...values, ...tierValues(hidden))
    .then(Number)
    .catch(() => takeAllLocally(visible, hidden))
  if (wait > 0) throw tooManyAttempts(wait, visible[0]?.name ?? 'unknown')
  return wait === 0
}

/** Takes a point in every tier of every limit. Throws 429 with the longest wait when one is exhausted. */
export const takePoints = async (...limits: Limit[]): Promise<void> => void (await takeWithHidden(limits, []))

async function waitLocally(limit: Limit): Promise<number> {
  if (!limitersByName.has(limit.name)) return 0
  const states = await Promise.all(
    localLimiters(limit).map(async (limiter) => ({ limiter, of: await limiter.get(limit.key) })),
  )
  return Math.max(
    0,
    ...states.map(({ limiter, of: use }) => (use && use.consumedPoints >= limiter.points ? use.msBeforeNext : 0)),
  )
}

/**
 * Returns for each limit in how many milliseconds it has a point again, 0 if it has one. Counts nothing. Never throws.
 */
export function waitsOf(limits: readonly Limit[]): Promise<number[]> {
  const storedWait = async (limit: Limit) => {
    const points = limit.tiers.map((tier) => tier.points)
    return Number(await redis().eval(waitScript, limitKeys(limit).length, ...limitKeys(limit), ...points))
  }
  return Promise.all(limits.map((limit) => storedWait(limit).catch(() => waitLocally(limit))))
}

/** Gives taken points back to the limits `back`, and resets the limits `forgotten`. Never throws. */
export async function settlePoints({
  back: returned = [],
  forgotten: reset = [],
}: {
  back?: Limit[]
  forgotten?: Limit[]
}) {
  const keys = [...returned, ...reset].flatMap(limitKeys)
  await redis()
    .eval(settleScript, keys.length, ...keys, returned.flatMap(limitKeys).length)
    .catch(() => 0)
  for (const limit of returned)
    if (limitersByName.has(limit.name)) for (const limiter of localLimiters(limit)) await limiter.reward(limit.key)
  for (const limit of reset)
    if (limitersByName.has(limit.name)) for (const limiter of localLimiters(limit)) await limiter.delete(limit.key)
}

/** Gives taken points back. Never throws. */
export const returnPoints = (...limits: Limit[]) => settlePoints({ back: limits })
