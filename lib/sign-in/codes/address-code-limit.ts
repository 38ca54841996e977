import { addressLimits } from '@/lib/base/limits/address-limits'
import type { Limit } from '@/lib/base/limits/limits'
import { redis } from '@/lib/base/redis/redis'
import { wrongByAddress } from './limits'

/**
 * Lua for scripts that begin with `wrongOf`: how many milliseconds the networks must wait. A network's wrong entries are a
 * set of moments, so that each can be taken back and counts for its own hours.
 */
export const waitOfWrong = `
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

const wrongKey = ({ name, key }: Limit) => `limit:${name}:${key}`

/** What such a script takes first: the sets of an address, the moment, and the tiers of each set in milliseconds. */
export function wrongOf(addresses: Limit[], now: Date) {
  const tiers = addresses.flatMap((limit) => limit.tiers.flatMap(({ points, duration }) => [points, duration * 1000]))
  return [
    addresses.length,
    ...addresses.map(wrongKey),
    now.getTime(),
    addresses[0]?.tiers.length ?? 0,
    ...tiers,
  ] as const
}

/** The limits on wrong codes of an address. */
export const wrongLimits = (ip: string) => addressLimits('code-wrong', ip, wrongByAddress)

/** Returns how many milliseconds an address may enter no code, 0 if it may. Throws without Redis. */
export const wrongWait = async (ip: string, now: Date): Promise<number> =>
  Number(await redis().eval(`${waitOfWrong}\nreturn waitOf()`, ...wrongOf(wrongLimits(ip), now)))

/** Forgets the wrong codes of an address. Throws without Redis. */
export const forgetWrong = (ip: string) => redis().del(wrongLimits(ip).map(wrongKey))
