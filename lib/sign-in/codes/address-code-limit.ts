import { addressLimits } from '@/lib/base/limits/address-limits'
import type { Limit } from '@/lib/base/limits/limits'
import { redis } from '@/lib/base/redis/redis'
import { wrongByAddress } from './limits'

/**
 * The beginning of Lua scripts that take `wrongCodeArguments`. Its function `waitOf` returns for how many milliseconds
 * the networks of an address must wait. The wrong entries of a network are a set with the time of each, so that each
 * can be removed and each counts for its own hours.
 */
export const wrongCodeWaitScript = `
local now, tiers = tonumber(ARGV[1]), tonumber(ARGV[2])
local function waitOf()
  local wait = 0
  for i, key in ipairs(KEYS) do
    for tier = 0, tiers - 1 do
      local at = 3 + 2 * ((i - 1) * tiers + tier)
      local rank = tonumber(ARGV[at]) - 1
      local last = redis.call('zrevrange', key, rank, rank, 'withscores')
      if last[2] then wait = math.max(wait, tonumber(last[2]) + tonumber(ARGV[at + 1]) - now) end
    end
  end
  return wait
end
local rest = 3 + 2 * #KEYS * tiers`

const wrongCodesKey = ({ name, key }: Limit) => `limit:${name}:${key}`

/**
 * Returns the first arguments of such a script: the sets of an address, the current time, and the tiers of each set in
 * milliseconds.
 */
export function wrongCodeArguments(addresses: Limit[], now: Date) {
  const tiers = addresses.flatMap((limit) => limit.tiers.flatMap(({ points, duration }) => [points, duration * 1000]))
  return [
    addresses.length,
    ...addresses.map(wrongCodesKey),
    now.getTime(),
    addresses[0]?.tiers.length ?? 0,
    ...tiers,
  ] as const
}

/** Returns the limits on wrong codes of an address. */
export const wrongCodeLimits = (ip: string) => addressLimits('code-wrong', ip, wrongByAddress)

/** Returns for how many milliseconds an address must not enter a code; 0 if it may now. Throws without Redis. */
export const wrongCodeWait = async (ip: string, now: Date): Promise<number> =>
  Number(await redis().eval(`${wrongCodeWaitScript}\nreturn waitOf()`, ...wrongCodeArguments(wrongCodeLimits(ip), now)))

/** Deletes the wrong codes of an address. Throws without Redis. */
export const forgetWrongCodes = (ip: string) => redis().del(wrongCodeLimits(ip).map(wrongCodesKey))
